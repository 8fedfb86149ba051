// Reads single fields of a definition: checks the value, compiles the template, notes what is wrong.
// Owns: the value rules that several states share.
import { isObject, type Json } from '../json.ts';
import type { Surroundings } from '../jsonata/functions.ts';
import { ExpressionRefused, expressionIn, type Template, templateOf } from '../jsonata/template.ts';
import type { Findings } from './findings.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Reads the fields of one object that stands at `location`; `prefix` is its place within the state. */
export class FieldReader {
  readonly fields: Fields;
  readonly location: string;
  readonly isJsonata: boolean;
  readonly findings: Findings;
  readonly surroundings: Surroundings;
  readonly #prefix: string;

  constructor(
    fields: Fields,
    location: string,
    around: {
      readonly findings: Findings;
      readonly surroundings: Surroundings;
      readonly isJsonata: boolean;
      readonly prefix?: string;
    },
  ) {
    this.fields = fields;
    this.location = location;
    this.isJsonata = around.isJsonata;
    this.findings = around.findings;
    this.surroundings = around.surroundings;
    this.#prefix = around.prefix ?? '';
  }

  /** The reader of an object inside this one, as `Choices[0]`. */
  within(fields: Fields, field: string): FieldReader {
    const prefix = `${this.#prefix}${field}/`;
    return new FieldReader(fields, `${this.location}/${field}`, { ...this, prefix });
  }

  wrong(field: string, message: string): undefined {
    this.findings.schema(`${this.location}/${field}`, message);
    return undefined;
  }

  template(field: string): Template | undefined {
    const value = this.fields[field];
    if (value === undefined) return undefined;
    try {
      const at = `${this.#prefix}${field}`;
      return templateOf(value as Json, at, this.surroundings, this.isJsonata);
    } catch (error) {
      if (!(error instanceof ExpressionRefused)) throw error;
      const state = this.location.slice(0, this.location.length - this.#prefix.length);
      this.findings.add(error.code, `${state}/${error.location}`, error.message);
      return undefined;
    }
  }

  /** A template that must give a value of one kind; literals are checked now. */
  typed(field: string, isRight: (value: unknown) => boolean, rule: string): Template | undefined {
    const template = this.template(field);
    if (template?.kind === 'literal' && !isRight(template.value))
      return this.wrong(field, `Value must be ${rule}`);
    if (template?.kind === 'object' && !isRight({}))
      return this.wrong(field, `Value must be ${rule}`);
    return template;
  }

  positiveInteger(field: string): Template | undefined {
    return this.typed(
      field,
      (value) => Number.isInteger(value) && Number(value) > 0 && Number(value) <= 99_999_999,
      'a positive integer (at most 99999999) or a JSONata expression',
    );
  }

  /** `Assign`: an object whose keys are variable names. */
  assign(): Template | undefined {
    const value = this.fields.Assign;
    if (value === undefined) return undefined;
    if (!isObject(value)) return this.wrong('Assign', 'Value is not an object');
    for (const name of Object.keys(value)) {
      if (!/^[\p{ID_Start}_][\p{ID_Continue}]{0,79}$/u.test(name) || name === 'states')
        this.wrong(`Assign/${name}`, `"${name}" is not a variable name`);
    }
    return this.template('Assign');
  }

  text(field: string): string | undefined {
    const value = this.fields[field];
    if (value === undefined) return undefined;
    if (typeof value === 'string' && expressionIn(value) === undefined) return value;
    return this.wrong(field, 'Value must be a string');
  }

  /** A literal number within limits. */
  number(field: string, otherwise: number, min: number, max: number, whole: boolean): number {
    const value = this.fields[field];
    if (value === undefined) return otherwise;
    if (typeof value === 'number' && value >= min && value <= max) {
      if (!whole || Number.isInteger(value)) return value;
    }
    this.wrong(field, `Value must be ${whole ? 'an integer' : 'a number'} from ${min} to ${max}`);
    return otherwise;
  }

  list(field: string): readonly unknown[] {
    const value = this.fields[field];
    if (value === undefined) return [];
    if (Array.isArray(value)) return value;
    this.wrong(field, 'Value is not an array');
    return [];
  }
}
