// The process dies at each crash point of Perform. Laws: L1 to L4, L11, L16.
import { crashTests } from './cases.ts';

crashTests('perform');
