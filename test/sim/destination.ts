// The destination of a simulated world: what it does with each call is chosen by the world, and its list of effects judges the
// rest. Owns: that list, and every first byte that went out.
import { at, type JsonObject } from '../../functions/core/base/json.ts';
import type { ToolCarrier, ToolReport, ToolSend } from '../../functions/ports/tool.ts';
import { type ContractKind, finderOf, hasKey } from './contracts.ts';
import type { Timeline } from './timeline.ts';

export const behaviours = [
  'writes and answers',
  'writes, and the reply is lost',
  'writes, and every reply is lost',
  'writes and answers 500',
  'refuses',
  'is not reached once',
  'is never reached',
  'never receives',
  'is still running',
  'writes after the deadline',
  'says not now',
] as const;
export type Behaviour = (typeof behaviours)[number];

export interface Effect {
  readonly tool: string;
  readonly reference: string;
  readonly name: string;
  readonly atMs: number;
}

/** A first byte that went out. */
export interface Sent {
  readonly reference: string;
  readonly atMs: number;
  readonly deadlineAtMs: number;
}

export interface Destination {
  readonly effects: readonly Effect[];
  readonly sent: readonly Sent[];
  carrier(isAlive: () => boolean): ToolCarrier;
}

export interface DestinationParts {
  readonly time: Timeline;
  readonly kind: (tool: string) => ContractKind;
  /** For each call that would write, in order. */
  readonly behaviour: (tool: string) => Behaviour;
  readonly onSent?: (sent: Sent) => void;
}

const never = <Value>(): Promise<Value> => new Promise<Value>(() => undefined);

const reply = (status: number, body: JsonObject): ToolReport => ({
  kind: 'reply',
  reply: { status, headers: {}, body, bytes: 2 },
});
const lost: ToolReport = {
  kind: 'unknown',
  because: 'The reply was lost.',
  milestone: 'transmitted',
};
const unreached: ToolReport = { kind: 'not_transmitted', because: 'Connection refused.' };

const latencyMs = 50;
const runningMs = 30_000;
/** After the deadline and its skew, within the settle time of a look-up. */
const lateMs = 5_000;
/** A look-up shows an effect this long after it. */
const indexMs = 3_000;

const textAt = (value: JsonObject, path: string): string => String(at(value, path) ?? '');

export const destinationOf = (parts: DestinationParts): Destination => {
  const { time } = parts;
  const effects: Effect[] = [];
  const sent: Sent[] = [];
  /** By reference, for destinations that know a repeat by it. */
  const results = new Map<string, Effect>();

  const write = (call: ToolSend): Effect => {
    const known = results.get(call.reference);
    if (known && hasKey(parts.kind(call.registration.name))) return known;
    const effect = {
      tool: call.registration.name,
      reference: call.reference,
      name: textAt(call.arguments, 'name'),
      atMs: time.now(),
    };
    effects.push(effect);
    results.set(call.reference, effect);
    return effect;
  };
  const answer = (call: ToolSend): ToolReport => {
    const effect = write(call);
    return reply(201, { id: `obj-${effects.indexOf(effect) + 1}` });
  };

  const look = async (call: ToolSend): Promise<ToolReport> => {
    await time.pause(latencyMs);
    const { name: finder } = call.registration;
    const reference = textAt(call.arguments, 'reference');
    const name = textAt(call.arguments, 'name');
    const seen = effects.filter(
      (effect) =>
        finderOf(effect.tool) === finder &&
        parts.kind(effect.tool) !== 'look-up incomplete' &&
        effect.atMs + indexMs <= time.now() &&
        (reference === '' ? effect.name === name : effect.reference === reference),
    );
    const items = seen.map((effect) => ({
      id: `obj-${effects.indexOf(effect) + 1}`,
      name: effect.name,
    }));
    return reply(200, { items });
  };

  const receive = async (call: ToolSend, behaviour: Behaviour): Promise<ToolReport> => {
    await time.pause(latencyMs);
    switch (behaviour) {
      case 'writes and answers':
        return answer(call);
      case 'writes, and the reply is lost':
      case 'writes, and every reply is lost':
        write(call);
        await time.pause(latencyMs);
        return lost;
      case 'writes and answers 500':
        write(call);
        return reply(500, { error: 'internal' });
      case 'refuses':
        return reply(422, { error: 'invalid' });
      case 'is still running':
        time.at(time.now() + runningMs, () => void write(call));
        return reply(202, { state: 'running' });
      case 'writes after the deadline':
        time.at(call.deadlineAtMs + lateMs, () => void write(call));
        await time.pause(call.deadlineAtMs - time.now());
        return { ...lost, because: 'No answer by the deadline.' };
      case 'says not now':
        return reply(429, { error: 'later' });
      default:
        await time.pause(call.deadlineAtMs - time.now());
        return { ...lost, because: 'No answer by the deadline.' };
    }
  };

  const carry = async (call: ToolSend, isAlive: () => boolean): Promise<ToolReport> => {
    if (!isAlive()) return never();
    if (call.registration.contract.effect === 'read') return look(call);
    const behaviour = parts.behaviour(call.registration.name);
    if (behaviour === 'is not reached once' || behaviour === 'is never reached') {
      await time.pause(latencyMs);
      return unreached;
    }
    try {
      call.beforeFirstByte();
    } catch (error) {
      return { kind: 'not_transmitted', because: String(error) };
    }
    if (!isAlive()) return never();
    const { reference, deadlineAtMs } = call;
    const one = { reference, deadlineAtMs, atMs: time.now() };
    sent.push(one);
    parts.onSent?.(one);
    return receive(call, behaviour);
  };

  return {
    effects,
    sent,
    carrier: (isAlive) => ({ send: (call) => carry(call, isAlive) }),
  };
};
