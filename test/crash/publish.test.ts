// The process dies at each crash point of Publish. Laws: L1 to L4, L11, L16.
import { crashTests } from './cases.ts';

crashTests('publish');
