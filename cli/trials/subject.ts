// What is put through the trials: a tool with its look-up tools, sample arguments, and how to count what is at the
// destination. Owns: reading that from files, and refusing what is no test environment before anything is sent.
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { type ExactJson, parseExact, unkeptWords } from '../../functions/core/base/exact-json.ts';
import { Json, JsonObject } from '../../functions/core/base/json.ts';
import { withPreset } from '../../functions/core/registry/presets.ts';
import { ToolRegistration } from '../../functions/core/registry/tool.ts';

/** Another way to count the objects at the destination, for tools without a look-up or beside it. */
export const Exhibit = z.strictObject({
  /** A read tool of the same file. */
  tool: z.string().min(1),
  /** As in a contract's look-up: `$reference` and `$args.<path>` are replaced. */
  arguments: z.record(z.string(), Json).default({}),
  /** Where the objects are in the answer: an array, or one object. */
  hits: z.string(),
  /** Path within an object → what it must be; `$reference` and `$args.<path>` are replaced. */
  match: z.record(z.string(), Json).default({}),
  /** Where an object carries its own reference. */
  reference: z.string().optional(),
  /** How long after a call it may take until its object is shown. */
  settleMs: z.int().nonnegative().default(1_000),
});
export type Exhibit = z.infer<typeof Exhibit>;

/** How the sandbox's own clock is put forward. */
export const PassTime = z.strictObject({
  /** A tool of the same file, under "reads". */
  tool: z.string().min(1),
  /** `$ms` and `$seconds` are replaced by how far. */
  arguments: z.record(z.string(), Json),
});
export type PassTime = z.infer<typeof PassTime>;

/** A file with everything; a registration alone, or a list of them, will do as well. */
export const Whole = z.strictObject({
  tool: ToolRegistration,
  reads: z.array(ToolRegistration).default([]),
  arguments: JsonObject.optional(),
  changedArguments: JsonObject.optional(),
  /** Calls that the destination refuses. */
  refusedArguments: z.array(JsonObject).max(6).default([]),
  exhibit: Exhibit.optional(),
  passTime: PassTime.optional(),
});

export interface Subject {
  readonly tool: ToolRegistration;
  readonly reads: readonly ToolRegistration[];
  /** Sample arguments; `{{unique}}` in a text becomes different for each trial. */
  readonly arguments: JsonObject;
  /** What somebody changes in them between two attempts. */
  readonly changed: JsonObject;
  /** Calls that the destination is known to refuse. */
  readonly refusedArguments: readonly JsonObject[];
  readonly exhibit: Exhibit | undefined;
  readonly passTime: PassTime | undefined;
  readonly environment: string;
  readonly secrets: { readonly [name: string]: string };
}

/** What was given cannot be put through the trials. Nothing was sent. */
export class NotATrial extends Error {
  override readonly name = 'NotATrial';
}

const production = /(^|[^a-z])(prod|prd|production|live)([^a-z]|$)/i;

/** Throws NotATrial unless the contract and the caller both name the same test environment. */
export const checkEnvironment = (tool: ToolRegistration, environment: string): void => {
  if (production.test(environment) || environment.trim() === '')
    throw new NotATrial(
      `The environment "${environment}" is no test environment. The trials write to the destination and lose replies on purpose; name a test environment with --environment. Nothing was sent.`,
    );
  const declared = tool.contract.destination.environment;
  if (declared !== environment)
    throw new NotATrial(
      `The contract of "${tool.name}" is about the environment "${declared}", and --environment says "${environment}". Correct the one that is wrong. Nothing was sent.`,
    );
};

const exactJsonIn = async (file: string): Promise<ExactJson> => {
  try {
    return parseExact(await readFile(file, 'utf8'));
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new NotATrial(`The file ${file} cannot be read as JSON: ${why}. Nothing was sent.`);
  }
};

/** Reads JSON. Throws NotATrial that names the file. Laws: L6 (what cannot be kept exactly is refused). */
export const readJson = async (file: string): Promise<unknown> => {
  const { value, unkept } = await exactJsonIn(file);
  if (unkept.length === 0) return value;
  throw new NotATrial(`${file} cannot be kept exactly: ${unkeptWords(unkept)} Nothing was sent.`);
};

const parsed = <Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  file: string,
): z.output<Schema> => {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  throw new NotATrial(
    `${file} is not what the trials take:\n${z.prettifyError(read.error)}\nNothing was sent.`,
  );
};

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** The tool to be tried is the one that writes; of several, the first. */
export const wholeOf = (value: unknown, file: string): z.output<typeof Whole> => {
  if (Array.isArray(value)) {
    const tools = parsed(z.array(ToolRegistration), value, file);
    const tool = tools.find(({ contract }) => contract.effect !== 'read');
    if (tool === undefined) throw new NotATrial(`${file} holds no tool that writes.`);
    return { tool, reads: tools.filter((other) => other !== tool), refusedArguments: [] };
  }
  if (isObject(value) && 'tool' in value) return parsed(Whole, value, file);
  return { tool: parsed(ToolRegistration, value, file), reads: [], refusedArguments: [] };
};

export interface SubjectFiles {
  readonly tool: string;
  readonly environment: string;
  readonly arguments?: string | undefined;
  readonly changedArguments?: string | undefined;
  readonly exhibit?: string | undefined;
  readonly secrets: { readonly [name: string]: string };
}

/** Whatever the trials need to be told and were not. */
const complete = ({ tool, reads, exhibit, passTime }: Subject): void => {
  const { contract, transport } = tool;
  if (contract.effect === 'read')
    throw new NotATrial(`"${tool.name}" is a read; there is nothing that could be done twice.`);
  if (transport.kind === 'lambda')
    throw new NotATrial(
      'The trials put a proxy between the product and the destination, which a Lambda function has no room for. Register its HTTP or MCP form.',
    );
  const needed = [
    contract.lookUp?.tool,
    contract.progress?.poll?.tool,
    exhibit?.tool,
    passTime?.tool,
  ];
  for (const name of needed)
    if (name !== undefined && !reads.some((read) => read.name === name))
      throw new NotATrial(
        `The read tool "${name}" is named but not registered in the file. Add it under "reads".`,
      );
};

export const secretNames = (registration: ToolRegistration): readonly string[] =>
  [...JSON.stringify(registration.transport).matchAll(/\{\{\s*secret:([^{}]+?)\s*\}\}/g)].map(
    (match) => match[1] ?? '',
  );

/** Throws NotATrial that lists the secrets whose values are missing. */
export const checkSecrets = ({ tool, reads, secrets }: Subject): void => {
  const missing = [...new Set([tool, ...reads].flatMap(secretNames))].filter(
    (name) => secrets[name] === undefined,
  );
  if (missing.length > 0)
    throw new NotATrial(
      `The value of ${missing.map((name) => `"${name}"`).join(', ')} is missing. Give it with --secret NAME=VALUE, --secret-file NAME=FILE or --secret-env NAME=VARIABLE. Nothing was sent.`,
    );
};

/** Reads everything. Throws NotATrial; then nothing was sent. */
export const subjectFrom = async (files: SubjectFiles): Promise<Subject> => {
  const whole = wholeOf(await readJson(files.tool), files.tool);
  const given = files.arguments === undefined ? whole.arguments : await readJson(files.arguments);
  if (given === undefined)
    throw new NotATrial(
      'Sample arguments are missing. Give them with --arguments FILE, or as "arguments" in the tool’s file. Nothing was sent.',
    );
  const changed =
    files.changedArguments === undefined
      ? whole.changedArguments
      : parsed(JsonObject, await readJson(files.changedArguments), files.changedArguments);
  const exhibit =
    files.exhibit === undefined
      ? whole.exhibit
      : parsed(Exhibit, await readJson(files.exhibit), files.exhibit);
  const sample = parsed(JsonObject, given, files.arguments ?? files.tool);
  const subject: Subject = {
    tool: withPreset(whole.tool),
    reads: whole.reads,
    arguments: sample,
    changed: changed ?? changeOf(sample, whole.tool),
    refusedArguments: whole.refusedArguments,
    exhibit,
    passTime: whole.passTime,
    environment: files.environment,
    secrets: files.secrets,
  };
  checkEnvironment(subject.tool, files.environment);
  complete(subject);
  checkSecrets(subject);
  return subject;
};

/** A change somebody might make: of a number, else of a plain text, preferring what the look-up compares. */
export const changeOf = (sample: JsonObject, { arguments: schema, contract }: ToolRegistration) => {
  const properties = isObject(schema.properties) ? JsonObject.parse(schema.properties) : {};
  const compared = Object.keys(contract.lookUp?.compare ?? {});
  const names = [...new Set([...compared, ...Object.keys(sample)])].filter((n) => n in sample);
  const free = names.filter((name) => {
    const shape = properties[name];
    return !isObject(shape) || !['enum', 'const', 'format', 'pattern'].some((key) => key in shape);
  });
  const number = free.find((name) => typeof sample[name] === 'number');
  if (number !== undefined) return { ...sample, [number]: Number(sample[number]) + 1 };
  const text = free.find((name) => typeof sample[name] === 'string' && !/_?id$/i.test(name));
  if (text === undefined) return sample;
  return { ...sample, [text]: `${String(sample[text])}, changed` };
};

/** The sample with `{{unique}}` filled. */
export const withUnique = (sample: JsonObject, unique: string): JsonObject =>
  JsonObject.parse(
    JSON.parse(JSON.stringify(sample).replace(/\{\{\s*unique\s*\}\}/g, () => unique)),
  );
