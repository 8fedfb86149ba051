// Who verified a contract, when and how, and the trial report behind it: expected, observed and exhibit of each part.
import type { ReactNode } from 'react';
import type { Contract, TrialPart, Verification } from '../api/types.ts';
import { Icon } from '../parts/icon.tsx';
import { Plain } from '../parts/plain-text.tsx';
import { Badge } from '../parts/state.tsx';
import { Time } from '../parts/time.tsx';
import { useWords } from '../words/index.tsx';
import { useLater } from '../words/later.ts';

type Trial = NonNullable<Verification['trials']>[number];

const looks = {
  pass: { icon: 'check', tone: 'good' },
  fail: { icon: 'cross', tone: 'bad' },
  not_run: { icon: 'question', tone: 'off' },
  does_not_apply: { icon: 'question', tone: 'off' },
  undecidable: { icon: 'question', tone: 'off' },
} as const;

const Verdict = ({ of }: { readonly of: Trial['verdict'] }): ReactNode => (
  <Badge shown={{ ...looks[of], word: useLater().contract.verdicts[of], means: '' }} />
);

const Texts = ({ name, texts }: { readonly name: string; readonly texts: readonly string[] }) =>
  texts.length === 0 ? null : (
    <div>
      <dt>{name}</dt>
      <dd>
        {texts.map((text) => (
          <p key={text}>
            <Plain text={text} />
          </p>
        ))}
      </dd>
    </div>
  );

const exhibitTexts = (
  { exhibit }: TrialPart,
  words: ReturnType<typeof useLater>['contract'],
): readonly string[] => {
  if (exhibit === undefined) return [];
  const { reference, objects, countedWith, sent, arrived } = exhibit;
  const counted = countedWith === undefined ? '' : `, ${words.countedWith(countedWith)}`;
  return [
    ...(reference === undefined ? [] : [`${words.reference} ${reference}`]),
    ...(objects === undefined ? [] : [`${words.objects(objects)}${counted}`]),
    words.calls(sent, arrived),
  ];
};

const Part = ({ part }: { readonly part: TrialPart }): ReactNode => {
  const { contract: words } = useLater();
  return (
    <li className="card">
      <p>
        <Verdict of={part.verdict} />{' '}
        <strong>
          <Plain text={part.title} />
        </strong>
      </p>
      <dl className="facts">
        <Texts name={words.expected} texts={[part.expected]} />
        <Texts name={words.observed} texts={part.observed} />
        <Texts name={words.because} texts={part.because ?? []} />
        <Texts name={words.exhibit} texts={exhibitTexts(part, words)} />
      </dl>
    </li>
  );
};

const Trials = ({ trials }: { readonly trials: readonly Trial[] }): ReactNode => {
  const { contract: words } = useLater();
  return (
    <>
      <h3>{words.trials}</h3>
      {trials.map(({ title, verdict, parts }) => (
        <details key={title} className="trial">
          <summary>
            <Verdict of={verdict} /> <Plain text={title} />{' '}
            <span className="hint">{words.parts(parts.length)}</span>
          </summary>
          <ul className="cards">
            {parts.map((part) => (
              <Part key={`${part.title}:${part.expected}`} part={part} />
            ))}
          </ul>
        </details>
      ))}
    </>
  );
};

const Report = ({ report }: { readonly report: string }): ReactNode =>
  /^https:\/\//.test(report) ? (
    <a href={report} target="_blank" rel="noreferrer noopener">
      <Plain text={report} />
    </a>
  ) : (
    <Plain text={report} />
  );

const Verified = ({ of }: { readonly of: Verification }): ReactNode => {
  const { said } = useWords();
  const { contract: words } = useLater();
  return (
    <>
      <dl className="facts">
        <div>
          <dt>{words.by}</dt>
          <dd>
            <Icon name="check" /> <Plain text={of.by} />
          </dd>
        </div>
        <div>
          <dt>{words.at}</dt>
          <dd>
            <Time at={of.at} exact />
          </dd>
        </div>
        <div>
          <dt>{words.how}</dt>
          <dd>
            <Plain text={said(of.how)} />
          </dd>
        </div>
        {of.keyHeldMs === undefined ? null : (
          <div>
            <dt>{words.keyHeld}</dt>
            <dd>{words.keyHeldFor(Math.floor(of.keyHeldMs / 1_000))}</dd>
          </div>
        )}
        <Texts
          name={words.notTried}
          texts={(of.notTried ?? []).map(({ what, costs }) => `${what} ${costs}`)}
        />
        {of.report === undefined ? null : (
          <div>
            <dt>{words.report}</dt>
            <dd>
              <Report report={of.report} />
            </dd>
          </div>
        )}
      </dl>
      {of.trials === undefined ? (
        <p className="hint">{words.noTrials}</p>
      ) : (
        <Trials trials={of.trials} />
      )}
    </>
  );
};

export const VerificationOf = ({ contract }: { readonly contract: Contract }): ReactNode => {
  const { tools } = useLater();
  const { verification, effect } = contract;
  if (effect === 'read' && verification === undefined) return null;
  return (
    <>
      <h2>{tools.verification}</h2>
      {verification === undefined ? <p>{tools.neverVerified}</p> : <Verified of={verification} />}
    </>
  );
};
