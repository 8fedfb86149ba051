// Whether a caller may answer a request. Laws: L13.
// Tested in test/functions/api/answers/answers.test.ts.
import { answererOf } from '../../core/answers/answerer.ts';
import type { PersonRequest } from '../../core/records/request.ts';
import { hasRole } from '../identity/access.ts';
import type { Caller } from '../identity/identity.ts';

export const mayAnswer = (caller: Caller, request: PersonRequest): boolean =>
  hasRole(caller.roles, answererOf(request).role);
