// Whether a caller may answer a request. Laws: L13.
import { answererOf } from '../core/answerer.ts';
import type { PersonRequest } from '../core/request.ts';
import { hasRole } from './access.ts';
import type { Caller } from './identity.ts';

export const mayAnswer = (caller: Caller, request: PersonRequest): boolean =>
  hasRole(caller.roles, answererOf(request).role);
