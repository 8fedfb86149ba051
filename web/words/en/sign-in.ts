// The words of signing in and out, in English.
import type { Reason } from '../../base/session.ts';

const why: { readonly [R in Reason]: string } = {
  ended: 'Your session has ended. Sign in again to go on where you were.',
  expired: 'This sign-in took too long, or was already used. Please begin again.',
  refused: 'The identity provider did not sign you in. You can try again.',
  failed: 'This sign-in did not hold up to a check, so nobody was signed in. Please begin again.',
  'no-workspace':
    'You are signed in, but your account belongs to no workspace. Ask an administrator for one.',
  unavailable: 'The identity provider does not answer. Try again in a moment.',
};

export const signIn = {
  title: 'Sign in',
  button: 'Sign in',
  other: 'Sign in as somebody else',
  withToken: 'With a token',
  hint: 'The address that was printed when Reprise started carries your token. Open it, or paste it, or the token, here.',
  label: 'Address or token',
  use: 'Use this token',
  wrong: 'That is no token. It has three parts separated by dots.',
  out: 'Sign out',
  outFailed: 'Signing out did not work: you are still signed in. Try again.',
  as: (name: string, workspace: string): string => `${name}, workspace ${workspace}`,
  roles: (names: string): string => `Roles: ${names}`,
  why,
};
