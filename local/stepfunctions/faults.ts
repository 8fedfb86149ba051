// The errors that the Step Functions API answers with, as values that can be thrown.
// Owns: the wire shape of an error.

export interface TwinAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** An API error: `code` is AWS's exception name, `message` its text. Always the client's fault (400) unless said. */
export class Fault extends Error {
  readonly code: string;
  readonly status: number;

  constructor(code: string, message: string, status = 400) {
    super(message);
    this.name = code;
    this.code = code;
    this.status = status;
  }
}

export const answerOf = (fault: Fault): TwinAnswer => ({
  status: fault.status,
  body: { __type: fault.code, message: fault.message },
});
