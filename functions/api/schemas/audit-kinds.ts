// The kinds of entries of the audit, for the API and for whoever filters by them. Owns: that list.
// Tested in test/functions/api/lists/audit.test.ts.
export const auditKinds = [
  'answer',
  'decision',
  'approval',
  'grant',
  'permission',
  'bar',
  'registration',
] as const;
