// A value that components can follow, kept outside of them. Owns: telling those who follow it.
import { useSyncExternalStore } from 'react';

export interface Store<Value> {
  get(): Value;
  set(value: Value): void;
  follow(listener: () => void): () => void;
}

export const storeOf = <Value>(first: Value): Store<Value> => {
  let value = first;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set: (next) => {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of [...listeners]) listener();
    },
    follow: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
};

export const useStore = <Value>(store: Store<Value>): Value =>
  useSyncExternalStore(store.follow, store.get);
