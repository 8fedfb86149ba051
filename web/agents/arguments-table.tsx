// What a tool may be called with, from its JSON Schema: one row for each argument. What no row can say is in the exact text.
import type { ReactNode } from 'react';
import type { Json, JsonObject } from '../api/types.ts';
import { JsonView } from '../parts/json-view.tsx';
import { Block, Plain } from '../parts/plain-text.tsx';
import { StackingRow, StackingTable } from '../parts/stacking-table.tsx';
import { useWords } from '../words/index.tsx';
import { type LaterWords, useLater } from '../words/later.ts';

const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

const objectIn = (value: Json | undefined): JsonObject | undefined =>
  typeof value === 'object' && value !== null && !isList(value) ? value : undefined;

/** The bounds that people ask about; others stand in the exact text. */
const bounds = ['minimum', 'maximum', 'minLength', 'maxLength', 'pattern', 'format'] as const;

/** "From 1 character": said by the argument's being needed. */
const isNothing = (bound: (typeof bounds)[number], value: Json): boolean =>
  bound === 'minLength' && Number(value) <= 1;

const kindOf = (schema: JsonObject, words: LaterWords['parameters']): string => {
  const { type, enum: values, items } = schema;
  if (isList(values)) return values.map((value) => JSON.stringify(value)).join(', ');
  if (type === 'array') return words.listOf(kindOf(objectIn(items) ?? {}, words));
  return Object.entries(words.types).find(([name]) => name === type)?.[1] ?? words.any;
};

const Row = ({
  name,
  schema,
  required,
}: {
  readonly name: string;
  readonly schema: JsonObject;
  readonly required: boolean;
}): ReactNode => {
  const { parameters: words } = useLater();
  const limits = bounds.flatMap((bound) =>
    schema[bound] === undefined || isNothing(bound, schema[bound])
      ? []
      : [words.bounds[bound](String(schema[bound]))],
  );
  return (
    <StackingRow
      name={
        <code>
          <Plain text={name} />
        </code>
      }
    >
      <Plain text={[kindOf(schema, words), ...limits].join(', ')} />
      {required ? words.required : <span className="hint">{words.optional}</span>}
      {typeof schema.description === 'string' ? <Plain text={schema.description} /> : null}
    </StackingRow>
  );
};

export const ArgumentsTable = ({ schema }: { readonly schema: Json }): ReactNode => {
  const { call } = useWords();
  const { tools, parameters: words } = useLater();
  const whole = objectIn(schema);
  const properties = objectIn(whole?.properties);
  if (whole === undefined || properties === undefined)
    return <JsonView value={schema} label={tools.argumentsSchema} />;
  const { required } = whole;
  return (
    <>
      <StackingTable
        className="stacking contract"
        label={tools.argumentsSchema}
        columns={[words.name, words.type, words.need, tools.description]}
      >
        {Object.entries(properties).map(([name, value]) => (
          <Row
            key={name}
            name={name}
            schema={objectIn(value) ?? {}}
            required={isList(required) && required.includes(name)}
          />
        ))}
      </StackingTable>
      <details>
        <summary>{call.asText}</summary>
        <Block text={JSON.stringify(schema, null, 2)} label={tools.argumentsSchema} />
      </details>
    </>
  );
};
