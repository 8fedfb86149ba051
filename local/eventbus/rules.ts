// The bus operations that manage buses, rules and targets. Owns: their parameters and answers.
import { z } from 'zod';
import type { Place } from '../names.ts';
import { AwsFault } from '../wire.ts';
import { busNameOf, parameters } from './parameters.ts';
import { readPattern } from './patterns.ts';
import type { BusStore, Rule } from './store.ts';

const name = z.string().regex(/^[.\-_A-Za-z0-9]{1,64}$/);
const busName = z.string().regex(/^[/.\-_A-Za-z0-9]{1,256}$/);
const onBus = { EventBusName: z.string().optional() };
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

export const ruleOperations = (
  store: BusStore,
  arnOf: (bus: string) => string,
  { region, account }: Place,
): Record<string, (body: unknown) => unknown> => {
  const bus = (reference: string | undefined): string => {
    const wanted = busNameOf(reference);
    if (store.hasBus(wanted)) return wanted;
    throw new AwsFault('ResourceNotFoundException', `Event bus ${wanted} does not exist.`);
  };
  const found = (reference: string | undefined, ruleName: string): Rule => {
    const there = store.rule(bus(reference), ruleName);
    if (there !== undefined) return there;
    throw new AwsFault(
      'ResourceNotFoundException',
      `Rule ${ruleName} does not exist on EventBus ${busNameOf(reference)}.`,
    );
  };
  const ruleArn = (ofBus: string, ruleName: string): string =>
    `arn:aws:events:${region}:${account}:rule/${ofBus === 'default' ? '' : `${ofBus}/`}${ruleName}`;
  const shown = (each: Rule) => ({
    Name: each.name,
    Arn: ruleArn(each.bus, each.name),
    EventPattern: each.pattern,
    State: each.state,
    Description: each.description,
    EventBusName: each.bus,
  });
  const setState = (body: unknown, state: string): void => {
    const given = parameters(named, body);
    store.putRule({ ...found(given.EventBusName, given.Name), state });
  };
  return {
    CreateEventBus: (body) => {
      const { Name } = parameters(z.object({ Name: busName }), body);
      if (store.hasBus(Name))
        throw new AwsFault('ResourceAlreadyExistsException', `Event bus ${Name} already exists.`);
      store.addBus(Name);
      return { EventBusArn: arnOf(Name) };
    },
    DescribeEventBus: (body) => {
      const Name = bus(parameters(z.object({ Name: z.string().optional() }), body).Name);
      return { Name, Arn: arnOf(Name) };
    },
    ListEventBuses: () => ({
      EventBuses: store.buses().map((each) => ({ Name: each, Arn: arnOf(each) })),
    }),
    DeleteEventBus: (body) => store.dropBus(parameters(z.object({ Name: busName }), body).Name),
    PutRule: (body) => {
      const given = parameters(rule, body);
      readPattern(given.EventPattern);
      const on = bus(given.EventBusName);
      const { Name, EventPattern, State, Description } = given;
      store.putRule({
        bus: on,
        name: Name,
        pattern: EventPattern,
        state: State,
        description: Description,
      });
      return { RuleArn: ruleArn(on, Name) };
    },
    DescribeRule: (body) => {
      const given = parameters(named, body);
      return shown(found(given.EventBusName, given.Name));
    },
    ListRules: (body) => ({
      Rules: store.rules(bus(parameters(z.object(onBus), body).EventBusName)).map(shown),
    }),
    EnableRule: (body) => setState(body, 'ENABLED'),
    DisableRule: (body) => setState(body, 'DISABLED'),
    DeleteRule: (body) => {
      const given = parameters(named, body);
      const on = bus(given.EventBusName);
      if (store.targets(on, given.Name).length > 0)
        throw new AwsFault('ValidationException', "Rule can't be deleted since it has targets.");
      store.dropRule(on, given.Name);
    },
    ...targetOperations(store, found),
  };
};

const targetOperations = (
  store: BusStore,
  found: (bus: string | undefined, rule: string) => Rule,
): Record<string, (body: unknown) => unknown> => ({
  PutTargets: (body) => {
    const given = parameters(targets, body);
    const on = found(given.EventBusName, given.Rule);
    for (const { Id, Arn, Input } of given.Targets)
      store.putTarget({ bus: on.bus, rule: on.name, id: Id, arn: Arn, input: Input ?? null });
    return { FailedEntryCount: 0, FailedEntries: [] };
  },
  RemoveTargets: (body) => {
    const given = parameters(ids, body);
    const on = found(given.EventBusName, given.Rule);
    for (const id of given.Ids) store.dropTarget(on.bus, on.name, id);
    return { FailedEntryCount: 0, FailedEntries: [] };
  },
  ListTargetsByRule: (body) => {
    const given = parameters(ofRule, body);
    const on = found(given.EventBusName, given.Rule);
    return {
      Targets: store.targets(on.bus, on.name).map(({ id, arn, input }) => ({
        Id: id,
        Arn: arn,
        ...(input === null ? {} : { Input: input }),
      })),
    };
  },
});
