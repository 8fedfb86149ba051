// One version of a tool: what it does, whether it is barred, its contract field by field with what each means for recovery, how
// that was verified, what changed, and making the next version.
import type { ReactNode } from 'react';
import { useLocation, useParams } from 'wouter';
import { cache, keys } from '../api/cache.ts';
import { newToolVersion } from '../api/calls.ts';
import { useNewestTool, useToolVersion } from '../api/queries.ts';
import type { Json, JsonObject, ToolVersion } from '../api/types.ts';
import { CopyMenu } from '../copying/copy.tsx';
import { Loaded } from '../parts/notes.tsx';
import { Block, Plain } from '../parts/plain-text.tsx';
import { Time } from '../parts/time.tsx';
import { useWords } from '../words/index.tsx';
import { useLater } from '../words/later.ts';
import { ArgumentsTable } from './arguments-table.tsx';
import { Compare } from './compare.tsx';
import { ContractTable } from './contract-table.tsx';
import { Edit } from './edit-form.tsx';
import { ToolBar } from './tool-bar.tsx';
import { VerificationOf } from './verification.tsx';
import { Versions } from './versions.tsx';

const jsonOf = ({ registration }: ToolVersion): Json => {
  const json: Json = JSON.parse(JSON.stringify(registration));
  return json;
};

const useContent = (name: string, number: number) => {
  const { data, error, refetch } = useToolVersion(name, String(number));
  return { data: data === undefined ? undefined : jsonOf(data), error, refetch };
};

const useSave = (name: string) => {
  const [, go] = useLocation();
  return async (body: JsonObject, key: string): Promise<void> => {
    const { version } = await newToolVersion(name, body, key);
    await cache.invalidateQueries({ queryKey: keys.newestTool(name) });
    await cache.invalidateQueries({ queryKey: keys.tools });
    go(`/tools/${name}/${version}`);
  };
};

const Next = ({ newest, shown }: { readonly newest: ToolVersion; readonly shown: number }) => {
  const { tools } = useLater();
  const { name } = newest.registration;
  return (
    <>
      <Compare
        kind="tool"
        of={name}
        newest={newest.version}
        shown={shown}
        name={tools.version}
        only={tools.first}
        useContent={useContent}
      />
      <Versions place={`/tools/${name}`} newest={newest.version} shown={shown} />
      <Edit
        kind="tool"
        open={tools.edit}
        label={tools.json}
        before={jsonOf(newest)}
        button={tools.save}
        save={useSave(name)}
      />
    </>
  );
};

const ToolPage = ({
  tool,
  newest,
}: {
  readonly tool: ToolVersion;
  readonly newest: ToolVersion;
}): ReactNode => {
  const { tools } = useLater();
  const words = useWords();
  const { registration, version } = tool;
  const { name, contract } = registration;
  return (
    <>
      <header className="screen-head">
        <h1>{name}</h1>
        <CopyMenu id={`${name}/${version}`} thing={{ kind: 'tool', of: tool }} />
      </header>
      <p className="hint">
        {tools.version(version)}, <Time at={tool.createdAt} exact /> {words.by('')}
        <Plain text={tool.author?.name ?? tool.createdBy} />
      </p>
      <p>
        <Plain text={registration.description} />
      </p>
      <ToolBar tool={name} />
      <h2>{tools.contract}</h2>
      <p className="hint">{tools.contractHint}</p>
      <ContractTable contract={contract} />
      <VerificationOf contract={contract} />
      <h2>{tools.argumentsSchema}</h2>
      <ArgumentsTable schema={registration.arguments} />
      <h2>{tools.raw}</h2>
      <Block text={JSON.stringify(registration, null, 2)} label={tools.raw} />
      <Next newest={newest} shown={version} />
    </>
  );
};

const OfVersion = ({
  version,
  newest,
}: {
  readonly version: string;
  readonly newest: ToolVersion;
}) => (
  <Loaded asked={useToolVersion(newest.registration.name, version)}>
    {(tool) => <ToolPage tool={tool} newest={newest} />}
  </Loaded>
);

/** Without a version in the address: the newest. */
export const ToolScreen = (): ReactNode => {
  const { name = '', version } = useParams<{ name: string; version?: string }>();
  return (
    <section className="screen">
      <Loaded asked={useNewestTool(name)}>
        {(newest) => <OfVersion version={version ?? String(newest.version)} newest={newest} />}
      </Loaded>
    </section>
  );
};
