// What is at the destination: asked with the contract's own look-up, or with the read tool given as exhibit. Owns: those
// questions. They go past the fault proxy, straight to the destination, so that no fault of ours hides an object.
import { ulid } from 'ulid';
import { carrierFrom } from '../../functions/adapters/tools/carrier.ts';
import { egressFrom } from '../../functions/adapters/tools/egress.ts';
import { ActionId } from '../../functions/core/base/ids.ts';
import { at, canonicalJson, type Json, type JsonObject } from '../../functions/core/base/json.ts';
import {
  isLike,
  type LookedUp,
  type LookUpReading,
  lookUpArguments,
  readLookUp,
  showsReference,
} from '../../functions/core/recover/look-up.ts';
import type { LookUp } from '../../functions/core/registry/contract.ts';
import type { ToolRegistration } from '../../functions/core/registry/tool.ts';
import type { ToolReport } from '../../functions/ports/tool.ts';
import type { Subject } from './subject.ts';

/** Objects found, and how. `undefined` count: nothing here can count them. */
export interface Found {
  readonly by: 'exhibit' | 'look_up' | 'nothing';
  readonly tool: string | undefined;
  readonly asked: JsonObject;
  readonly count: number | undefined;
  readonly objects: readonly Json[];
  /** Whether a second object beside the first would be shown. */
  readonly several: boolean;
  /** Where an object carries what tells it from others; undefined: all of it does. */
  readonly identity: string | undefined;
  /** Why nothing could be counted. */
  readonly because: string | undefined;
  /** How the contract reads the look-up's answer. */
  readonly reading: LookUpReading | undefined;
}

export interface Destination {
  find(action: LookedUp): Promise<Found>;
  /** The contract's own look-up, read as the product reads it; undefined when there is none. */
  lookUp(action: LookedUp): Promise<LookUpReading | undefined>;
  /** Calls a tool as the product does, with the reference as its key. */
  send(tool: ToolRegistration, args: JsonObject, reference: string): Promise<ToolReport>;
}

/** An action that never was, to ask for what cannot be there. */
export const nobody = (args: JsonObject, destination: LookedUp['destination']): LookedUp => ({
  actionId: ActionId.parse(`act_${ulid()}`),
  arguments: args,
  destination,
});

/** The trials write to a destination that somebody named for this; the product's egress rules are not what is tried. */
const anywhere = { hosts: ['*'], allowPrivate: ['0.0.0.0/0', '::/0'] };

const listAt = (body: Json | undefined, path: string): readonly Json[] => {
  const value = at(body, path);
  if (Array.isArray(value)) return value as readonly Json[];
  return value === undefined || value === null ? [] : [value];
};

const nothing = (because: string): Found => ({
  by: 'nothing',
  tool: undefined,
  asked: {},
  count: undefined,
  objects: [],
  several: false,
  identity: undefined,
  because,
  reading: undefined,
});

const suits = (match: JsonObject, hit: Json): boolean =>
  Object.entries(match).every(([path, wanted]) => {
    const value = at(hit, path);
    return value !== undefined && canonicalJson(value) === canonicalJson(wanted);
  });

const spoken = (report: ToolReport): string =>
  report.kind === 'reply' ? `status ${report.reply.status}` : report.kind;

/** What a look-up's answer shows of this action: by its reference, or by what the contract compares. */
const shownBy = (lookUp: LookUp, action: LookedUp, body: Json | undefined): readonly Json[] =>
  listAt(body, lookUp.hits).filter((hit) =>
    (lookUp.by === 'reference' ? showsReference : isLike)(lookUp, action, hit),
  );

/** Over one subject; `now` is real time. */
export const destinationOf = ({ tool, reads, exhibit, secrets }: Subject): Destination => {
  const carrier = carrierFrom({
    secrets: {
      read: async (name) => {
        const value = secrets[name];
        if (value === undefined) throw new Error(`The secret "${name}" is not known.`);
        return value;
      },
    },
    egress: egressFrom(anywhere),
    clock: { now: () => Date.now() },
  });
  const { lookUp } = tool.contract;
  const send: Destination['send'] = (registration, args, reference) =>
    carrier.send({
      registration,
      arguments: args,
      reference,
      deadlineAtMs: Date.now() + registration.contract.timeoutMs,
      beforeFirstByte: () => undefined,
    });
  const read = (name: string, args: JsonObject, action: LookedUp): Promise<ToolReport> => {
    const registration = reads.find((one) => one.name === name);
    if (registration === undefined) throw new Error(`There is no read tool "${name}".`);
    return send(registration, args, action.actionId);
  };

  const byExhibit = async (action: LookedUp): Promise<Found | undefined> => {
    if (exhibit === undefined) return undefined;
    const asked = lookUpArguments(exhibit.arguments, action);
    const report = await read(exhibit.tool, asked, action);
    if (report.kind !== 'reply' || (report.reply.status >= 400 && report.reply.status !== 404))
      return nothing(`The exhibit "${exhibit.tool}" did not answer (${spoken(report)}).`);
    const match = lookUpArguments(exhibit.match, action);
    const objects = listAt(report.reply.body, exhibit.hits).filter((hit) => suits(match, hit));
    const { tool: name, reference: identity } = exhibit;
    const by = 'exhibit' as const;
    const several = Array.isArray(at(report.reply.body, exhibit.hits));
    const unread = { because: undefined, reading: undefined, identity, several };
    return { by, tool: name, asked, count: objects.length, objects, ...unread };
  };

  const byLookUp = async (action: LookedUp): Promise<Found> => {
    if (lookUp === undefined) return nothing('The contract declares no look-up.');
    const asked = lookUpArguments(lookUp.arguments, action);
    const report = await read(lookUp.tool, asked, action);
    const reply = report.kind === 'reply' ? report.reply : undefined;
    const reading = readLookUp(lookUp, action, reply);
    if (reading.result === 'failed')
      return { ...nothing(`${reading.because} (${spoken(report)})`), asked, reading };
    const objects = shownBy(lookUp, action, reading.result === 'miss' ? undefined : reply?.body);
    const by = 'look_up' as const;
    const { tool: name, reference: identity } = lookUp;
    const several = Array.isArray(at(reply?.body, lookUp.hits));
    const counted = { count: objects.length, objects, identity, several, reading };
    return { by, tool: name, asked, because: undefined, ...counted };
  };

  return {
    send,
    find: async (action) => (await byExhibit(action)) ?? byLookUp(action),
    lookUp: async (action) => (await byLookUp(action)).reading,
  };
};
