// What in a registration contradicts the preset it chose, once the preset is written out. Pure. Owns: those checks.
// Laws: L5 (the convention says where the key travels), L9 (no key is trusted for longer than its convention keeps it).
// Tested in test/core/registry/presets.test.ts.
import { idempotencyKey } from './presets.ts';
import type { ToolRegistration } from './tool.ts';

export const presetRefusalCodes = [
  'preset_needs_a_key',
  'preset_needs_put',
  'preset_needs_http',
  'preset_key_elsewhere',
  'preset_repeat_differs',
  'preset_retention_too_long',
  'put_not_conditional',
  'put_without_reference',
  'preset_on_a_read',
] as const;
export type PresetRefusalCode = (typeof presetRefusalCodes)[number];

export interface PresetRefusal {
  readonly field: string;
  readonly code: PresetRefusalCode;
}

const when = (holds: boolean, field: string, code: PresetRefusalCode): PresetRefusal[] =>
  holds ? [{ field, code }] : [];

const stripeRetentionMs = 86_400_000;

const keyConvention = ({ contract }: ToolRegistration): PresetRefusal[] => {
  const { key, preset } = contract;
  if (key.kind !== 'key') return [{ field: 'contract.key', code: 'preset_needs_a_key' }];
  const { place, onRepeat, comparesParameters, retentionMs } = key;
  const stripe = preset === 'stripe-v1';
  const inHeader = place.in === 'header' && place.name.toLowerCase() === idempotencyKey;
  return [
    ...when(!inHeader, 'contract.key.place', 'preset_key_elsewhere'),
    ...when(onRepeat === 'error', 'contract.key.onRepeat', 'preset_repeat_differs'),
    ...when(
      stripe && !comparesParameters,
      'contract.key.comparesParameters',
      'preset_repeat_differs',
    ),
    ...when(
      stripe && retentionMs > stripeRetentionMs,
      'contract.key.retentionMs',
      'preset_retention_too_long',
    ),
  ];
};

const putConvention = ({ transport, contract }: ToolRegistration): PresetRefusal[] => {
  if (transport.kind !== 'http') return [];
  const { headers, method, url } = transport;
  const condition = Object.entries(headers).find(
    ([name]) => name.toLowerCase() === 'if-none-match',
  );
  const place = contract.key.kind === 'none' ? undefined : contract.key.place;
  const named = place?.in === 'path' ? `|${place.name}` : '';
  const travels = new RegExp(`\\{\\{\\s*(reference(?::\\w+)?${named})\\s*\\}\\}`).test(url);
  return [
    ...when(method !== 'PUT', 'contract.preset', 'preset_needs_put'),
    ...when(condition?.[1] !== '*', 'transport.headers.if-none-match', 'put_not_conditional'),
    ...when(!travels, 'transport.url', 'put_without_reference'),
  ];
};

/** Of a registration whose preset was written out. */
export const presetRefusals = (registration: ToolRegistration): readonly PresetRefusal[] => {
  const { contract, transport } = registration;
  const { preset } = contract;
  if (preset === 'none' || preset === 'http') return [];
  if (contract.effect === 'read') return [{ field: 'contract.preset', code: 'preset_on_a_read' }];
  return [
    ...when(transport.kind !== 'http', 'contract.preset', 'preset_needs_http'),
    ...(preset === 'put' ? putConvention(registration) : keyConvention(registration)),
  ];
};
