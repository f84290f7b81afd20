/** An exact set of ids as bytes (about 40 per id), taken from the pages directly: no string is made per item. */
export class IdSet {
  #arena = Buffer.allocUnsafe(1024);
  #used = 0;
  /** Offset of an id in the arena plus one; 0 for a free slot. */
  #places = new Int32Array(64);
  #hashes = new Int32Array(64);
  size = 0;

  /** Adds the bytes; false if they were present. */
  add(source: Uint8Array, start: number, end: number): boolean {
    const hash = hashOf(source, start, end);
    let place = this.#find(source, start, end, hash);
    if (this.#places[place] !== 0) return false;
    if ((this.size + 1) * 2 > this.#places.length) {
      this.#grow();
      place = this.#find(source, start, end, hash);
    }
    this.#append(source, start, end, place, hash);
    return true;
  }

  has(source: Uint8Array, start: number, end: number): boolean {
    return this.#places[this.#find(source, start, end, hashOf(source, start, end))] !== 0;
  }

  /** The ids that are in both sets, in this set's order. */
  common(other: IdSet): Buffer[] {
    const found: Buffer[] = [];
    if (other.size === 0) return found;
    for (const id of this.values()) if (other.has(id, 0, id.length)) found.push(id);
    return found;
  }

  *values(): Generator<Buffer> {
    for (let at = 0; at < this.#used; ) {
      const end = at + 4 + this.#arena.readInt32LE(at);
      yield this.#arena.subarray(at + 4, end);
      at = end;
    }
  }

  /** The set as bytes, for `IdSet.from`. */
  bytes(): Buffer {
    return this.#arena.subarray(0, this.#used);
  }

  static from(bytes: Buffer): IdSet {
    const set = new IdSet();
    for (let at = 0; at + 4 <= bytes.length; ) {
      const end = at + 4 + bytes.readInt32LE(at);
      set.add(bytes, at + 4, end);
      at = end;
    }
    return set;
  }

  static of(ids: Iterable<string>): IdSet {
    const set = new IdSet();
    for (const id of ids) {
      const bytes = Buffer.from(id);
      set.add(bytes, 0, bytes.length);
    }
    return set;
  }

  #find(source: Uint8Array, start: number, end: number, hash: number): number {
    const mask = this.#places.length - 1;
    let place = hash & mask;
    for (;;) {
      const stored = this.#places[place] as number;
      if (stored === 0) return place;
      if (this.#hashes[place] === hash && this.#same(stored - 1, source, start, end)) return place;
      place = (place + 1) & mask;
    }
  }

  #same(offset: number, source: Uint8Array, start: number, end: number): boolean {
    const arena = this.#arena;
    const length = end - start;
    if (arena.readInt32LE(offset) !== length) return false;
    for (let i = 0; i < length; i++) if (arena[offset + 4 + i] !== source[start + i]) return false;
    return true;
  }

  #append(source: Uint8Array, start: number, end: number, place: number, hash: number): void {
    const needed = this.#used + 4 + end - start;
    if (needed > this.#arena.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, this.#arena.length * 2));
      this.#arena.copy(larger, 0, 0, this.#used);
      this.#arena = larger;
    }
    this.#arena.writeInt32LE(end - start, this.#used);
    this.#arena.set(source.subarray(start, end), this.#used + 4);
    this.#places[place] = this.#used + 1;
    this.#hashes[place] = hash;
    this.#used = needed;
    this.size++;
  }

  #grow(): void {
    const places = this.#places;
    const hashes = this.#hashes;
    const larger = places.length * 2;
    this.#places = new Int32Array(larger);
    this.#hashes = new Int32Array(larger);
    for (let i = 0; i < places.length; i++) {
      if (places[i] === 0) continue;
      let place = (hashes[i] as number) & (larger - 1);
      while (this.#places[place] !== 0) place = (place + 1) & (larger - 1);
      this.#places[place] = places[i] as number;
      this.#hashes[place] = hashes[i] as number;
    }
  }
}

function hashOf(source: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ (source[i] as number), 0x01000193);
  // The low bits choose the slot, so the high ones are folded in.
  return hash ^ (hash >>> 15);
}
