// The fault marks of a conversation, read once for all its calls. Owns: which marks a call has.
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { type CallPlace, callId, useConversationFaults } from '../api/faults.ts';
import type { FaultMarkView } from '../api/types.ts';

type ByCall = ReadonlyMap<string, readonly FaultMarkView[]>;
const nothing: ByCall = new Map();
const none: readonly FaultMarkView[] = [];
const Faults = createContext(nothing);

export const FaultsOf = ({
  conversationId,
  children,
}: {
  readonly conversationId: string;
  readonly children: ReactNode;
}): ReactNode => {
  const { data } = useConversationFaults(conversationId);
  const byCall = useMemo(() => (data === undefined ? nothing : Map.groupBy(data, callId)), [data]);
  return <Faults value={byCall}>{children}</Faults>;
};

export const useCallFaults = (of: CallPlace): readonly FaultMarkView[] =>
  useContext(Faults).get(callId(of)) ?? none;

/** Those of one run, in order. */
export const useRunFaults = (runId: string): readonly FaultMarkView[] => {
  const all = useContext(Faults);
  return useMemo(
    () => [...all.values()].flat().filter((mark) => mark.runId === runId),
    [all, runId],
  );
};
