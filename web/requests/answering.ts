// Giving an answer to a request. Owns: that a repeat of one answer is one answer, and that all who show the request read anew.
import { useMutation } from '@tanstack/react-query';
import { cache, keys } from '../api/cache.ts';
import { answer } from '../api/calls.ts';
import { newKey, Problem } from '../api/client.ts';
import type { AnswerBody } from '../api/types.ts';
import { type Store, storeOf } from '../base/store.ts';

/** Requests that this person answered when somebody else had already: said beside what was decided. */
export const outrun: Store<ReadonlySet<string>> = storeOf<ReadonlySet<string>>(new Set());

const noteOutrun = (requestId: string, cause: unknown): void => {
  if (cause instanceof Problem && cause.slug === 'already-answered')
    outrun.set(new Set([...outrun.get(), requestId]));
};

export interface Answering {
  readonly give: (body: AnswerBody) => void;
  readonly busy: boolean;
  readonly error: unknown;
}

export const useAnswering = (requestId: string): Answering => {
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: ({ body, key }: { readonly body: AnswerBody; readonly key: string }) =>
      answer(requestId, body, key),
    onError: (cause) => noteOutrun(requestId, cause),
    onSettled: () =>
      Promise.all([
        cache.invalidateQueries({ queryKey: keys.request(requestId) }),
        cache.invalidateQueries({ queryKey: keys.requests }),
      ]),
  });
  return {
    give: (body) => mutate({ body, key: newKey() }),
    busy: isPending || isSuccess,
    error,
  };
};
