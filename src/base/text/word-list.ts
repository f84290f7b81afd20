/** The words of a text, as a type. */
export type WordsIn<Text extends string> = Text extends `${infer Word} ${infer Rest}` ? Word | WordsIn<Rest> : Text;

/** A long list of words, written as a text. */
export const wordList = <Text extends string>(text: Text): readonly WordsIn<Text>[] =>
  text.split(' ') as WordsIn<Text>[];
