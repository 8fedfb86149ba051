// The part of asl-validator that the tests use; the package carries no declarations.
declare module 'asl-validator' {
  const validate: (
    definition: unknown,
    options?: { readonly checkPaths?: boolean; readonly checkArn?: boolean },
  ) => { readonly isValid: boolean; readonly errors: readonly unknown[] };
  export = validate;
}
