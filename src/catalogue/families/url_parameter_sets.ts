import { deletePreview, flag, id, text, unix } from '../fields.js';
import type { Family } from '../types.js';

export default {
  name: 'url_parameter_sets',
  summary: 'URL parameters that are kept as metadata.',
  columns: [
    { path: 'id' },
    { path: 'name' },
    { path: 'enabled', as: 'flag' },
    { path: 'description' },
    { path: 'created_date_unix', title: 'created', as: 'time' },
  ],
  idField: 'id',
  item: { created_date_unix: unix, id, name: text },
  operations: [
    {
      action: 'list',
      method: 'GET',
      path: '/url_parameter_sets',
      operationId: 'GetUrlParameterSets',
      summary: 'List URL parameter sets',
      risk: 'read',
      list: { style: 'paged' },
      rules: ['Built from the naming convention; no description of it was seen.'],
      example: 'url-parameter-sets list --limit 50',
      evidence: 'convention',
    },
    {
      action: 'get',
      method: 'GET',
      path: '/url_parameter_sets/{url_parameter_set_id}',
      operationId: 'GetUrlParameterSet',
      summary: 'Show one URL parameter set',
      risk: 'read',
      rules: [],
      example: 'url-parameter-sets get CdRDSWSTKYzZwgJnV6Ja',
      evidence: 'published',
    },
    {
      action: 'create',
      method: 'POST',
      path: '/url_parameter_sets',
      operationId: 'CreateUrlParameterSet',
      summary: 'Create a URL parameter set',
      risk: 'write',
      body: {
        closed: true,
        complete: false,
        fields: {
          name: { ...text, common: true, note: 'Unique among the sets.' },
          description: text,
          enabled: { ...flag, common: true },
          url_parameters: {
            type: 'array',
            items: {
              type: 'object',
              fields: {
                url_parameter: text,
                metadata_name: { ...text, note: "Name to store it under; the parameter's own name when empty." },
              },
            },
          },
        },
      },
      answerId: 'url_parameter_set_id',
      rules: [
        'Attaches to nothing by itself: attach it with `tracking-domains edit`.',
        'Further body fields exist that were not seen.',
      ],
      example: 'url-parameter-sets create --name "Ads" -d url_parameters[0].url_parameter=utm_source',
      evidence: 'published',
    },
    {
      action: 'edit',
      method: 'POST',
      path: '/url_parameter_sets/{url_parameter_set_id}',
      operationId: 'EditUrlParameterSet',
      summary: 'Edit a URL parameter set',
      risk: 'write',
      body: {
        closed: false,
        complete: false,
        fields: {
          name: { ...text, common: true, note: 'Unique among the sets.' },
          description: text,
          enabled: { ...flag, common: true },
          url_parameters: {
            type: 'array',
            items: {
              type: 'object',
              fields: {
                url_parameter: text,
                metadata_name: { ...text, note: "Name to store it under; the parameter's own name when empty." },
              },
            },
            note: 'Replaces the stored list.',
          },
        },
      },
      answerId: 'url_parameter_set_id',
      rules: [
        'Send only what changes.',
        '`url_parameters` replaces the stored list.',
        'Further body fields exist that were not seen.',
      ],
      example: 'url-parameter-sets edit CdRDSWSTKYzZwgJnV6Ja --no-enabled',
      evidence: 'published',
    },
    {
      action: 'delete',
      method: 'POST',
      path: '/url_parameter_sets/{url_parameter_set_id}/delete',
      operationId: 'DeleteUrlParameterSet',
      summary: 'Delete a URL parameter set',
      risk: 'irreversible',
      preview: deletePreview,
      rules: ['Deletion cannot be undone.', 'Built from the naming convention; no description of it was seen.'],
      example: 'url-parameter-sets delete CdRDSWSTKYzZwgJnV6Ja',
      evidence: 'convention',
    },
  ],
} as const satisfies Family;
