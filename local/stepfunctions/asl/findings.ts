// What is wrong with a definition: collected while it is parsed, worded as the service words it.
// Owns: the list and its two renderings (an exception's message, ValidateStateMachineDefinition's diagnostics).

export interface Finding {
  readonly code: string;
  readonly message: string;
  /** JSON pointer of the field, `/States/X/Foo`. */
  readonly location: string;
}

export class Findings {
  readonly list: Finding[] = [];

  /** A field that has a wrong value, is missing, or is not implemented. */
  schema(location: string, message: string): void {
    this.list.push({ code: 'SCHEMA_VALIDATION_FAILED', message, location });
  }

  add(code: string, location: string, message: string): void {
    this.list.push({ code, message, location });
  }

  /** As in `Invalid State Machine Definition: '…'`. */
  text(): string {
    return this.list
      .map(({ code, message, location }) => `${code}: ${message} at ${location}`)
      .join(', ');
  }
}
