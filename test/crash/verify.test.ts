// The process dies at each crash point of Verify. Laws: L1, L4, L21.
import { crashTests } from './cases.ts';

crashTests('verify');
