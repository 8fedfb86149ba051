// A JSON value to read: its fields as a list, or its exact text. Everything in it is somebody else's text.
import { type ReactNode, useState } from 'react';
import type { Json } from '../api/types.ts';
import { useWords } from '../words/index.tsx';
import { Block, Plain } from './plain-text.tsx';

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);
const isFields = (value: Json): value is { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !isList(value);

const deepest = 6;
const mostEntries = 100;
const longText = 300;

const Scalar = ({ value }: { readonly value: Json }): ReactNode =>
  typeof value === 'string' ? (
    <span className="json-text">
      <Plain text={value.length > longText ? `${value.slice(0, longText)}…` : value} />
    </span>
  ) : (
    <span className="json-scalar">{JSON.stringify(value)}</span>
  );

const Entries = ({
  entries,
  depth,
}: {
  readonly entries: readonly (readonly [string, Json])[];
  readonly depth: number;
}): ReactNode => (
  <dl className="fields">
    {entries.slice(0, mostEntries).map(([name, value]) => (
      <div key={name}>
        <dt>
          <Plain text={name} />
        </dt>
        <dd>
          <Value value={value} depth={depth + 1} />
        </dd>
      </div>
    ))}
    {entries.length > mostEntries ? <div>…</div> : null}
  </dl>
);

const Value = ({ value, depth }: { readonly value: Json; readonly depth: number }): ReactNode => {
  const nested = isList(value) || isFields(value);
  if (!nested) return <Scalar value={value} />;
  const entries: readonly (readonly [string, Json])[] = isList(value)
    ? value.map((entry, index) => [String(index), entry] as const)
    : Object.entries(value);
  if (entries.length === 0)
    return <span className="json-scalar">{isList(value) ? '[]' : '{}'}</span>;
  if (depth > deepest) return <Plain text={JSON.stringify(value).slice(0, longText)} />;
  return <Entries entries={entries} depth={depth} />;
};

export const JsonView = ({
  value,
  label,
}: {
  readonly value: Json;
  readonly label: string;
}): ReactNode => {
  const words = useWords();
  const [exact, setExact] = useState(false);
  return (
    <div className="json">
      {exact ? (
        <Block text={JSON.stringify(value, null, 2)} label={label} />
      ) : (
        <Value value={value} depth={0} />
      )}
      <button type="button" className="quiet" aria-pressed={exact} onClick={() => setExact(!exact)}>
        {words.call.asText}
      </button>
    </div>
  );
};

/** The JSON value in a text, when it is one object or list of readable size. */
export const jsonIn = (text: string): Json | undefined => {
  if (!/^\s*[[{]/.test(text) || text.length > 200_000) return undefined;
  try {
    // A number that would be shown as another is shown as it was written.
    return JSON.parse(text, (_name, of: Json, read?: { readonly source: string }) =>
      typeof of === 'number' && read && `${of}` !== read.source ? read.source : of,
    );
  } catch {
    return undefined;
  }
};
