// The trials' report in short, to be kept with the contract that they verify: expected, observed and exhibit of each part,
// without the bodies and journals of the whole report. Owns: what is left out.
import { TrialPart, type Verification } from '../../../functions/core/registry/contract.ts';
import type { Part, Trial, Verdict } from './report.ts';

const most = 4_000;
const cut = (text: string): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
const list = (texts: readonly string[]): string[] => texts.slice(0, 20).map(cut);

const partInShort = ({ title, verdict, expected, observed, because, exhibit }: Part): TrialPart =>
  TrialPart.parse({
    title: cut(title),
    verdict,
    expected: cut(expected),
    observed: list(observed),
    ...(because.length === 0 ? {} : { because: list(because) }),
    ...(exhibit === undefined
      ? {}
      : {
          exhibit: {
            ...(exhibit.reference === undefined ? {} : { reference: exhibit.reference }),
            ...(exhibit.objects.count === undefined ? {} : { objects: exhibit.objects.count }),
            ...(exhibit.objects.tool === undefined ? {} : { countedWith: exhibit.objects.tool }),
            sent: exhibit.proxy.received,
            arrived: exhibit.proxy.forwarded,
          },
        }),
  });

/** The checks, under their title, then the trials. */
export const trialsInShort = (tried: {
  readonly title: string;
  readonly verdict: Verdict;
  readonly parts: readonly Part[];
  readonly trials: readonly Trial[];
}): NonNullable<Verification['trials']> =>
  [tried, ...tried.trials].map(({ title, verdict, parts }) => ({
    title: cut(title),
    verdict,
    parts: parts.slice(0, 20).map(partInShort),
  }));
