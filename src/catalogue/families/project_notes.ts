import type { FamilySpec } from '../conventions.js';
import {
  completeBody,
  id,
  metadata,
  metadataFilter,
  partlySeenBody,
  searchTerm,
  text,
  unix,
  unseenBody,
} from '../fields.js';

export default {
  name: 'project_notes',
  summary: 'Notes of projects.',
  columns: 'id title project_id created_date_unix',
  exampleId: 'JEmhhD5dCViTyLqCaNei',
  nature: 'set-up',
  unmanaged: 'notes are written by people as they work',
  keys: [{ field: 'title', unique: false, source: 'nothing says that it is' }],
  item: { id, title: text, content: text, metadata, project_id: id, created_date_unix: unix },
  operations: {
    list: {
      list: { style: 'windowed', spanDays: 90 },
      query: { metadata_filter: metadataFilter },
      rules: ['Titles only; `get` shows the content.', 'A filter by project exists; its name is not documented.'],
      example: 'project-notes list --last 30d',
    },
    get: {},
    create: {
      body: completeBody({
        project_id: { ...id, required: true, common: true },
        title: { ...text, required: true, common: true, minLength: 1, maxLength: 100 },
        content: { ...text, required: true, common: true, minLength: 1, maxLength: 5000 },
        metadata,
      }),
      checks: ['metadata'],
      example: 'project-notes create --project-id dLsQB8G7BqacoVp42in7 --title "Kick-off" --content "Starts in March."',
    },
    edit: {
      body: partlySeenBody({
        title: { ...text, common: true },
        content: { ...text, common: true },
        metadata: { ...metadata, note: 'Replaces what is there.' },
      }),
      checks: ['metadata'],
      example: 'project-notes edit JEmhhD5dCViTyLqCaNei --title "Kick-off, moved"',
    },
    delete: { body: unseenBody, rules: ['The history of the note is lost; edit is the better way to correct it.'] },
    search: {
      query: { project_id: { type: 'string', format: 'id' }, search_term: searchTerm },
      example: 'project-notes search kick-off',
    },
  },
} as const satisfies FamilySpec;
