// Why an action needs an approval: which clause of its tool's policy, or what it looks like; in words, with the condition itself.
import type { ReactNode } from 'react';
import { useToolVersion } from '../api/queries.ts';
import type { Action, Contract, PersonRequest } from '../api/types.ts';
import { Plain } from '../parts/plain-text.tsx';
import { type LaterWords, useLater } from '../words/later.ts';

interface Reason {
  readonly says: string;
  readonly expression?: string;
}

const reasonsOf = (
  { effect, policy }: Contract,
  { likeness }: Pick<ApprovalRequest, 'likeness'>,
  { reissueOf }: Pick<Action, 'reissueOf'>,
  { why }: LaterWords,
): readonly Reason[] => {
  const { approval } = policy;
  return [
    ...(reissueOf === undefined ? [] : [{ says: why.reissue }]),
    ...(likeness === undefined ? [] : [{ says: why.likeness }]),
    ...(effect === 'irreversible'
      ? [{ says: why.irreversible }]
      : approval.when === 'always'
        ? [{ says: why.always }]
        : approval.when === 'condition'
          ? [{ says: why.condition, expression: approval.expression }]
          : []),
  ];
};

export const Why = ({
  request,
  action,
}: {
  readonly request: ApprovalRequest;
  readonly action: Action;
}): ReactNode => {
  const later = useLater();
  const { data } = useToolVersion(action.tool.name, String(action.tool.version));
  if (data === undefined) return null;
  const { contract } = data.registration;
  return (
    <section>
      <h5>{later.why.title}</h5>
      <ul>
        {reasonsOf(contract, request, action, later).map(({ says, expression }) => (
          <li key={says}>
            {says}{' '}
            {expression === undefined ? null : (
              <code>
                <Plain text={expression} />
              </code>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
};

export type ApprovalRequest = Extract<PersonRequest, { on: 'approval' }>;
