/** Calls that must not be made: whoever asks for none at all asks for more than for none with these arguments. */
import type { Assertion } from './assertions.ts';

/** What must not have been called, in the words of the libraries. */
const NOT_THIS =
  /^verify\((\w+),never\(\)\)\.|^expect\(([\w.]+)\)\.not\.(?:toHaveBeenCalledWith|toBeCalledWith|to\.have\.been\.calledWith)\(|^expect\(([\w.]+)\)\.(?:not_to|to_not) have_received\((:\w+)\)\.with\(|^assert call\(.*\) not in ([\w.]+)\.(?:mock_calls|call_args_list)$/;

/** The new assertions refuse every call of what the old one refused some of. */
export function isRefusedAltogether(old: Assertion, now: readonly Assertion[]): boolean {
  const [, mock, spy, double, message, called] = NOT_THIS.exec(old.text) ?? [];
  if (mock !== undefined)
    return now.some(({ text }) => {
      const given = /^verifyNo(?:More|)Interactions\((.*)\)$|^verifyZeroInteractions\((.*)\)$/.exec(text);
      return (given?.[1] ?? given?.[2])?.split(',').some(name => name.trim() === mock) ?? false;
    });
  const none =
    spy !== undefined
      ? [
          `expect(${spy}).not.toHaveBeenCalled()`,
          `expect(${spy}).toHaveBeenCalledTimes(0)`,
          `expect(${spy}).not.toBeCalled()`,
          `expect(${spy}).not.to.have.been.called`,
        ]
      : double !== undefined
        ? [`expect(${double}).not_to have_received(${message})`, `expect(${double}).to_not have_received(${message})`]
        : called !== undefined
          ? [`${called}.assert_not_called()`]
          : [];
  return none.length > 0 && now.some(({ text }) => none.includes(text));
}
