// A component's hold on the live side of a conversation: followed while it is shown.
import { useEffect, useState } from 'react';
import { type Store, storeOf, useStore } from '../base/store.ts';
import { joinLive, type Live, noLive } from './live.ts';

const silent: Store<Live> = storeOf(noLive);

export const useLive = (id: string): Live => {
  const [state, setState] = useState<Store<Live>>(silent);
  useEffect(() => {
    const live = joinLive(id);
    setState(live.state);
    return () => {
      setState(silent);
      live.leave();
    };
  }, [id]);
  return useStore(state);
};
