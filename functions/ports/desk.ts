// The recovery desk's lists: what needs somebody, oldest first. Settled actions are in none of them.
import type { Action } from '../core/action.ts';
import type { Claim } from '../core/claim.ts';
import type { DeskPart } from '../core/desk-list.ts';
import type { ActionId } from '../core/ids.ts';
import type { Page } from './store.ts';

export interface DeskLists {
  actions(workspace: string, part: DeskPart, limit: number, cursor?: string): Promise<Page<Action>>;
  /** Attempts whose time is over and whose end nobody has written yet: what an outage leaves before the sweep comes. */
  stranded(workspace: string, nowMs: number): Promise<readonly Action[]>;
  claimsOf(actionIds: readonly ActionId[]): Promise<readonly Claim[]>;
}
