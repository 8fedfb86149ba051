// The bus operations that manage buses, rules and targets. Owns: their parameters and answers.
import { z } from 'zod';
import { busArn, type Place } from '../base/names.ts';
import { AwsFault } from '../base/wire.ts';
import { busNameOf, parameters } from './parameters.ts';
import { readPattern } from './patterns.ts';
import type { BusStore, Rule } from './store.ts';

export interface RuleParts {
  readonly store: BusStore;
  readonly place: Place;
}

const name = z.string().regex(/^[.\-_A-Za-z0-9]{1,64}$/);
const busName = z.string().regex(/^[/.\-_A-Za-z0-9]{1,256}$/);
const onBus = { EventBusName: z.string().optional() };
const bus = z.object({ Name: busName });
const named = z.object({ Name: name, ...onBus });
const rule = z.object({
  Name: name,
  EventPattern: z.string(),
  State: z.enum(['ENABLED', 'DISABLED']).default('ENABLED'),
  Description: z.string().default(''),
  ...onBus,
});
const target = z.object({ Id: z.string(), Arn: z.string(), Input: z.string().optional() });
const targets = z.object({ Rule: name, Targets: z.array(target).min(1).max(5), ...onBus });
const ofRule = z.object({ Rule: name, ...onBus });
const ids = z.object({ Rule: name, Ids: z.array(z.string()).min(1), ...onBus });

const existingBus = ({ store }: RuleParts, reference: string | undefined): string => {
  const wanted = busNameOf(reference);
  if (store.hasBus(wanted)) return wanted;
  throw new AwsFault('ResourceNotFoundException', `Event bus ${wanted} does not exist.`);
};

const existingRule = (parts: RuleParts, reference: string | undefined, ruleName: string): Rule => {
  const on = existingBus(parts, reference);
  const there = parts.store.rule(on, ruleName);
  if (there !== undefined) return there;
  throw new AwsFault(
    'ResourceNotFoundException',
    `Rule ${ruleName} does not exist on EventBus ${on}.`,
  );
};

const ruleArn = ({ region, account }: Place, ofBus: string, ruleName: string): string =>
  `arn:aws:events:${region}:${account}:rule/${ofBus === 'default' ? '' : `${ofBus}/`}${ruleName}`;

const shown = ({ place }: RuleParts, each: Rule) => ({
  Name: each.name,
  Arn: ruleArn(place, each.bus, each.name),
  EventPattern: each.pattern,
  State: each.state,
  Description: each.description,
  EventBusName: each.bus,
});

const setState = (parts: RuleParts, body: unknown, state: Rule['state']): void => {
  const given = parameters(named, body);
  parts.store.putRule({ ...existingRule(parts, given.EventBusName, given.Name), state });
};

type Operation = (parts: RuleParts, body: unknown) => unknown;

const busOperations: Readonly<Record<string, Operation>> = {
  CreateEventBus: ({ store, place }, body) => {
    const { Name } = parameters(bus, body);
    if (store.hasBus(Name))
      throw new AwsFault('ResourceAlreadyExistsException', `Event bus ${Name} already exists.`);
    store.addBus(Name);
    return { EventBusArn: busArn(place, Name) };
  },
  DescribeEventBus: (parts, body) => {
    const given = parameters(z.object({ Name: z.string().optional() }), body);
    const Name = existingBus(parts, given.Name);
    return { Name, Arn: busArn(parts.place, Name) };
  },
  ListEventBuses: ({ store, place }) => ({
    EventBuses: store.buses().map((each) => ({ Name: each, Arn: busArn(place, each) })),
  }),
  DeleteEventBus: ({ store }, body) => store.dropBus(parameters(bus, body).Name),
};

/** Every operation but PutEvents, by name. */
export const ruleOperations: Readonly<Record<string, Operation>> = {
  ...busOperations,
  PutRule: (parts, body) => {
    const given = parameters(rule, body);
    readPattern(given.EventPattern);
    const on = existingBus(parts, given.EventBusName);
    parts.store.putRule({
      bus: on,
      name: given.Name,
      pattern: given.EventPattern,
      state: given.State,
      description: given.Description,
    });
    return { RuleArn: ruleArn(parts.place, on, given.Name) };
  },
  DescribeRule: (parts, body) => {
    const given = parameters(named, body);
    return shown(parts, existingRule(parts, given.EventBusName, given.Name));
  },
  ListRules: (parts, body) => {
    const on = existingBus(parts, parameters(z.object(onBus), body).EventBusName);
    return { Rules: parts.store.rules(on).map((each) => shown(parts, each)) };
  },
  EnableRule: (parts, body) => setState(parts, body, 'ENABLED'),
  DisableRule: (parts, body) => setState(parts, body, 'DISABLED'),
  DeleteRule: (parts, body) => {
    const given = parameters(named, body);
    const on = existingBus(parts, given.EventBusName);
    if (parts.store.targets(on, given.Name).length > 0)
      throw new AwsFault('ValidationException', "Rule can't be deleted since it has targets.");
    parts.store.dropRule(on, given.Name);
  },
  PutTargets: (parts, body) => {
    const given = parameters(targets, body);
    const on = existingRule(parts, given.EventBusName, given.Rule);
    for (const { Id, Arn, Input } of given.Targets)
      parts.store.putTarget({ bus: on.bus, rule: on.name, id: Id, arn: Arn, input: Input ?? null });
    return { FailedEntryCount: 0, FailedEntries: [] };
  },
  RemoveTargets: (parts, body) => {
    const given = parameters(ids, body);
    const on = existingRule(parts, given.EventBusName, given.Rule);
    for (const id of given.Ids) parts.store.dropTarget(on.bus, on.name, id);
    return { FailedEntryCount: 0, FailedEntries: [] };
  },
  ListTargetsByRule: (parts, body) => {
    const given = parameters(ofRule, body);
    const on = existingRule(parts, given.EventBusName, given.Rule);
    return {
      Targets: parts.store.targets(on.bus, on.name).map(({ id, arn, input }) => ({
        Id: id,
        Arn: arn,
        ...(input === null ? {} : { Input: input }),
      })),
    };
  },
};
