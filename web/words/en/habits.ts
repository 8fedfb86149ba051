// The words of the settings and of the list of keys, and how a quotation is marked, in English.

export const habits = {
  quotes: ['“', '”'],
  settings: {
    title: 'Settings',
    language: 'Language',
    theme: 'Theme',
    themes: { system: 'As the system', light: 'Light', dark: 'Dark' },
    times: 'Times',
    timeStyles: { relative: 'Relative', local: 'Local zone', utc: 'UTC' },
    letterKeys: 'Single-letter keys',
    on: 'On',
    off: 'Off',
    account: 'Account',
    expires: 'Signed in until',
  },
  keys: {
    title: 'Keyboard shortcuts',
    close: 'Close',
    send: 'Send the message',
    newConversation: 'New conversation',
    search: 'Search conversations',
    next: 'Next conversation',
    previous: 'Previous conversation',
    composer: 'Write a message',
    needsYou: 'Next thing that needs you',
    latest: 'To the latest',
    list: 'This list',
    go: (place: string) => `Go to: ${place}`,
    leave: 'Leave a field, close a dialog',
    note: 'Single letters do nothing while you write, and can be switched off in the settings. Approving and refusing have no key.',
  },
};
