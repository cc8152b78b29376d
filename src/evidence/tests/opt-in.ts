/** Conditions that keep a test from running where it counts: on the build server, or unless somebody asks for it. */

const CI =
  /\b(?:CI|GITHUB_ACTIONS|GITLAB_CI|JENKINS\w*|TRAVIS|CIRCLECI|BUILDKITE|TF_BUILD|TEAMCITY\w*|APPVEYOR|CONTINUOUS_INTEGRATION|isCi|IsCi|is_ci|IsCI|isCI|running_in_ci|onCI|runningOnCI)\b|\bskipOnCI\b|cfg(?:_attr)?\((?:not\()?ci\b/;

/** A name that somebody has to set. */
const ASKED =
  /(?:\bgetBoolean|\bgetProperty|\bgetInteger|[gG]etenv|\bgetEnv|\bLookupEnv|GetEnvironmentVariable|\benv::var(?:_os)?|\benv|\boption_env!|\bnamed\s*=)\s*\(?\s*\[?["']([\w.-]+)["']/g;

/** What a machine is, or a service that a test cannot do without. */
const NEEDED =
  /^(?:os|java|user|file|line|path|sun|kotlin)\.|url|uri|dsn|host|port|addr|token|key|secret|passw|user|database|(?:^|[_.])db|redis|postgres|mysql|mongo|kafka|docker|podman|aws|gcp|azure|s3|broker|endpoint|browser|display|home|path|proxy|network|online|emulator|device|platform|version|java_|go(?:os|arch|flags)|shell|term|lang|locale|tz$|account|license|cluster|kube|wsl|root|bin$|exe$|sdk|cuda|gpu|hardware|integration/i;

/** Why a condition that is new takes the test away; nothing where it has a reason. */
export function hidesTest(code: string): string | undefined {
  const ci = CI.exec(code);
  if (ci) return ci[0];
  for (const match of code.matchAll(ASKED)) {
    const name = match[1] ?? '';
    if (!NEEDED.test(name)) return name;
  }
  return undefined;
}
