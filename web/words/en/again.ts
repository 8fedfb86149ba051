// What stands beside a request: an intention that was sent anew and waits for its own approval, and a tool that is barred.
export const again = {
  reissued: {
    label: 'New intention',
    waits: 'A new intention with the same content waits for an approval; nothing of it was sent:',
    stands: 'A new intention with the same content stands in its place:',
  },
  against: {
    asked: 'This is asked for. As things stand nothing would be sent:',
  },
  barredTool: {
    approving:
      'While it is barred, approving would send nothing. Refuse, or let the tool be used again first.',
    unsent: 'It was approved, but nothing was sent: the tool is barred.',
    open: 'The tool’s page',
  },
};
