// One version of a tool: what it does, and its contract, field by field, with what each means for recovery.
import type { ReactNode } from 'react';
import { Link, useParams } from 'wouter';
import { paths } from '../api/calls.ts';
import { useToolVersion } from '../api/queries.ts';
import type { Json, ToolVersion } from '../api/types.ts';
import { CopyMenu } from '../parts/copy.tsx';
import { JsonView } from '../parts/json-view.tsx';
import { Loaded } from '../parts/notes.tsx';
import { Block, Plain } from '../parts/plain-text.tsx';
import { Time } from '../parts/time.tsx';
import { useLength, useWords } from '../words/index.tsx';
import { contractRows } from './contract-rows.ts';

const ContractTable = ({ tool }: { readonly tool: ToolVersion }): ReactNode => {
  const words = useWords();
  const length = useLength();
  return (
    <div className="scroll-x">
      <table className="contract">
        <thead>
          <tr>
            <th scope="col">{words.tools.field}</th>
            <th scope="col">{words.tools.value}</th>
            <th scope="col">{words.tools.meaning}</th>
          </tr>
        </thead>
        <tbody>
          {contractRows(tool.registration.contract, words, length).map(
            ({ field, value, means }) => (
              <tr key={field}>
                <th scope="row">{words.tools.fields[field]}</th>
                <td>
                  <code>
                    <Plain text={value} />
                  </code>
                </td>
                <td>
                  {means.map((meaning) => (
                    <p key={meaning}>{meaning}</p>
                  ))}
                </td>
              </tr>
            ),
          )}
        </tbody>
      </table>
    </div>
  );
};

const VerificationNote = ({ tool }: { readonly tool: ToolVersion }): ReactNode => {
  const words = useWords();
  const { verification, effect } = tool.registration.contract;
  if (verification === undefined)
    return effect === 'read' ? null : <p>{words.tools.neverVerified}</p>;
  return (
    <p>
      <Plain text={words.tools.verifiedBy(verification.by)} />, <Time at={verification.at} exact />:{' '}
      <Plain text={verification.how} />
      {verification.report === undefined ? null : (
        <>
          {' '}
          <Plain text={verification.report} />
        </>
      )}
    </p>
  );
};

const Versions = ({ tool }: { readonly tool: ToolVersion }): ReactNode => {
  const words = useWords();
  const { version, registration } = tool;
  return (
    <ul className="row">
      {Array.from({ length: version }, (_, index) => version - index).map((one) => (
        <li key={one}>
          <Link
            href={`/tools/${registration.name}/${one}`}
            aria-current={one === version ? 'true' : undefined}
          >
            {words.tools.version(one)}
          </Link>
        </li>
      ))}
    </ul>
  );
};

const ToolPage = ({ tool }: { readonly tool: ToolVersion }): ReactNode => {
  const words = useWords();
  const { registration, version } = tool;
  const whole: Json = JSON.parse(JSON.stringify(registration));
  const place = `/tools/${registration.name}/${version}`;
  return (
    <>
      <header className="screen-head">
        <h1>{registration.name}</h1>
        <CopyMenu
          copied={{
            id: registration.name,
            place,
            path: paths.tool(registration.name),
            json: () => tool,
          }}
        />
      </header>
      <p className="hint">
        {words.tools.version(version)}, <Time at={tool.createdAt} exact />
      </p>
      <p>
        <Plain text={registration.description} />
      </p>
      <h2>{words.tools.contract}</h2>
      <p className="hint">{words.tools.contractHint}</p>
      <ContractTable tool={tool} />
      <h2>{words.tools.verification}</h2>
      <VerificationNote tool={tool} />
      <h2>{words.tools.argumentsSchema}</h2>
      <JsonView value={registration.arguments} label={words.tools.argumentsSchema} />
      <h2>{words.tools.raw}</h2>
      <Block text={JSON.stringify(whole, null, 2)} label={words.tools.raw} />
      <h2>{words.tools.versions}</h2>
      <Versions tool={tool} />
    </>
  );
};

export const ToolScreen = (): ReactNode => {
  const { name = '', version = '1' } = useParams<{ name: string; version: string }>();
  return (
    <section className="screen">
      <Loaded asked={useToolVersion(name, version)}>{(tool) => <ToolPage tool={tool} />}</Loaded>
    </section>
  );
};
