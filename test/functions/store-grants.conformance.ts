// What every store does with what was granted. Laws: L7.
import { describe, expect, test } from 'vitest';
import { agentId, nowIso, nowMs, requestId, workspace } from '../core/samples.ts';
import { begun, commit, guard, type Opened } from './store.conformance.ts';

export const grantsConformance = (name: string, open: () => Promise<Opened>): void => {
  describe(`${name}: grants`, () => {
    test('what was granted stands until it expires or is taken back, without an expiry for good (L7)', async () => {
      const { store } = await begun(await open());
      const grant = { guard: 'grant-stands', workspace, agentId, requestId, nowMs } as const;
      const stands = async (at = nowMs) =>
        (await commit(store, guard({ ...grant, nowMs: at }))).kind;
      expect(await stands()).toBe('refused');
      const item = {
        schema: 1,
        workspace,
        agentId,
        requestId,
        tool: 'write',
        destination: { provider: 'crm', account: 'a', environment: 'test', apiVersion: '1' },
        condition: 'true',
        grantedAt: nowIso,
        grantedBy: { kind: 'person', subject: 'ana', name: 'Ana' },
      } as const;
      await commit(store, { do: 'put', kind: 'grant', item });
      expect(await stands(nowMs + 86_400_000)).toBe('done');
      const until = { ...item, expiresAtMs: nowMs + 1_000 };
      await commit(store, { do: 'replace', kind: 'grant', item: until, rev: 1 });
      expect([await stands(nowMs + 999), await stands(nowMs + 1_000)]).toEqual(['done', 'refused']);
      const revoked = { ...item, revokedAt: nowIso };
      await commit(store, { do: 'replace', kind: 'grant', item: revoked, rev: 2 });
      expect(await stands()).toBe('refused');
    });
  });
};
