// The recovery desk's lists: what needs somebody, oldest first. Settled actions are in none of them.

import type { ActionId } from '../core/base/ids.ts';
import type { Action } from '../core/records/action.ts';
import type { Claim } from '../core/records/claim.ts';
import type { DeskPart } from '../core/recover/desk-list.ts';
import type { Page } from './store.ts';

export interface DeskLists {
  actions(workspace: string, part: DeskPart, limit: number, cursor?: string): Promise<Page<Action>>;
  /** Attempts whose time is over and whose end nobody has written yet: what an outage leaves before the sweep comes. */
  stranded(workspace: string, nowMs: number): Promise<readonly Action[]>;
  claimsOf(actionIds: readonly ActionId[]): Promise<readonly Claim[]>;
}
