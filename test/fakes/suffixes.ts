// Suffixes of ids that count, so that the same story has the same ids.
const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** 26 characters each, growing. */
export const suffixes = (): (() => string) => {
  let count = 0;
  return () => {
    count += 1;
    let rest = count;
    let suffix = '';
    for (let place = 0; place < 26; place += 1) {
      suffix = `${crockford[rest % 32]}${suffix}`;
      rest = Math.floor(rest / 32);
    }
    return suffix;
  };
};
