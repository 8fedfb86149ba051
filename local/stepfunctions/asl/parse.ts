// From the text of a definition to a machine that can run, or to everything that is wrong with it.
// Owns: the top level, the query language of each state.
import { isObject } from '../json.ts';
import type { Surroundings } from '../jsonata/functions.ts';
import {
  blockFields,
  jsonataFields,
  machineFields,
  objectAt,
  pathlessFields,
  refuseUnknown,
  require,
  type StateType,
  stateTypes,
} from './fields.ts';
import { Findings } from './findings.ts';
import { checkFlow } from './flow.ts';
import { FieldReader } from './reader.ts';
import { readers } from './states.ts';
import type { Block, Machine, State } from './types.ts';

export type Parsed =
  | { readonly ok: true; readonly machine: Machine }
  | { readonly ok: false; readonly findings: Findings };

/** The definition may have this many bytes (AWS quota: 1 MB). */
const definitionBytesMax = 1_048_576;
const stateNameLengthMax = 80;

const isStateType = (value: unknown): value is StateType =>
  stateTypes.some((type) => type === value);

class Parser {
  readonly findings = new Findings();
  readonly #surroundings: Surroundings;

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
  }

  #language(fields: Record<string, unknown>, location: string, outerIsJsonata: boolean): boolean {
    const language = fields.QueryLanguage;
    if (language === undefined) return outerIsJsonata;
    if (language !== 'JSONata' && language !== 'JSONPath')
      this.findings.schema(
        `${location}/QueryLanguage`,
        'Value should be one of the following: [JSONPath, JSONata]',
      );
    if (language === 'JSONPath' && outerIsJsonata)
      this.findings.schema(
        location,
        "'QueryLanguage' can not be 'JSONPath' if set to 'JSONata' for whole state machine",
      );
    return language === 'JSONata' || outerIsJsonata;
  }

  #state(name: string, value: unknown, location: string, outer: boolean): State | undefined {
    const fields = objectAt(value, location, this.findings);
    if (fields === undefined) return undefined;
    if (name.length === 0 || name.length > stateNameLengthMax)
      this.findings.schema(location, `A state name has 1 to ${stateNameLengthMax} characters`);
    const type = fields.Type;
    if (type === undefined) require(fields, ['Type'], location, this.findings);
    if (!isStateType(type)) {
      const known = `Value must be one of [${stateTypes.join(', ')}]`;
      if (type !== undefined) this.findings.schema(`${location}/Type`, known);
      return undefined;
    }
    const isJsonata = this.#language(fields, location, outer);
    const known = isJsonata ? jsonataFields[type] : pathlessFields[type];
    if (known === undefined) {
      this.findings.schema(
        location,
        `A ${type} state in JSONPath mode is not supported; set "QueryLanguage": "JSONata"`,
      );
      return undefined;
    }
    refuseUnknown(fields, known, location, this.findings);
    const around = { findings: this.findings, surroundings: this.#surroundings, isJsonata };
    const reader = new FieldReader(fields, location, around);
    return readers[type](reader, name, (inner, at, isMapBody) => {
      if (isObject(inner)) refuseUnknown(inner, blockFields, at, this.findings);
      if (isMapBody) this.#processor(inner, at);
      // The states inside have the machine's language, not the one of the state around them.
      return this.block(inner, at, outer);
    });
  }

  #processor(value: unknown, location: string): void {
    const config = isObject(value) ? value.ProcessorConfig : undefined;
    if (config === undefined) return;
    const at = `${location}/ProcessorConfig`;
    const fields = objectAt(config, at, this.findings);
    if (fields === undefined) return;
    refuseUnknown(fields, ['Mode'], at, this.findings);
    if (fields.Mode !== undefined && fields.Mode !== 'INLINE')
      this.findings.schema(`${at}/Mode`, 'Only the mode INLINE is supported');
  }

  block(value: unknown, location: string, outerIsJsonata: boolean): Block | undefined {
    const fields = objectAt(value, location === '' ? '/' : location, this.findings);
    if (fields === undefined) return undefined;
    require(fields, ['States', 'StartAt'], location === '' ? '/' : location, this.findings);
    const isJsonata = this.#language(fields, location, outerIsJsonata);
    const { States: inner, StartAt: startAt } = fields;
    if (inner === undefined || startAt === undefined) return undefined;
    if (typeof startAt !== 'string') {
      this.findings.schema(`${location}/StartAt`, 'Value must be a string');
      return undefined;
    }
    const listed = objectAt(inner, `${location}/States`, this.findings);
    if (listed === undefined) return undefined;
    if (Object.keys(listed).length === 0)
      this.findings.schema(`${location}/States`, 'At least one state is required');
    const states = new Map<string, State>();
    for (const [name, one] of Object.entries(listed)) {
      const state = this.#state(name, one, `${location}/States/${name}`, isJsonata);
      if (state !== undefined) states.set(name, state);
    }
    return { startAt, states };
  }

  machine(value: unknown): Machine | undefined {
    if (!isObject(value)) {
      this.findings.schema('/', 'Definition must be a valid JSON object');
      return undefined;
    }
    refuseUnknown(value, machineFields, '', this.findings);
    const around = {
      findings: this.findings,
      surroundings: this.#surroundings,
      isJsonata: false,
    };
    const reader = new FieldReader(value, '', around);
    const timeout = reader.number('TimeoutSeconds', 0, 1, 99_999_999, true);
    if (value.Version !== undefined && value.Version !== '1.0')
      reader.wrong('Version', 'Value must be "1.0"');
    const block = this.block(value, '', false);
    if (block === undefined || this.findings.list.length > 0) return undefined;
    checkFlow(block, this.findings);
    return { ...block, timeoutSeconds: timeout === 0 ? undefined : timeout };
  }
}

const readJson = (text: string, findings: Findings): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    findings.add('INVALID_JSON_DESCRIPTION', '/', error instanceof Error ? error.message : '');
    return undefined;
  }
};

export const parseDefinition = (text: string, surroundings: Surroundings): Parsed => {
  const parser = new Parser(surroundings);
  if (Buffer.byteLength(text) > definitionBytesMax)
    parser.findings.schema('/', `A definition has at most ${definitionBytesMax} bytes`);
  const value = readJson(text, parser.findings);
  const machine = parser.findings.list.length > 0 ? undefined : parser.machine(value);
  if (machine === undefined || parser.findings.list.length > 0)
    return { ok: false, findings: parser.findings };
  return { ok: true, machine };
};
