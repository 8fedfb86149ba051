// What was remembered with an approval, as the API shows it. Owns: whether it still covers calls.
// Tested in test/functions/api/http/openapi.test.ts.
import type { Grant } from '../../core/records/grant.ts';

export const grantView = (grant: Grant, nowMs: number) => ({
  ...grant,
  stands:
    grant.revokedAt === undefined && (grant.expiresAtMs === undefined || grant.expiresAtMs > nowMs),
});
