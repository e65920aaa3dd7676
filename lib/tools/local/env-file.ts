import { chmod, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { StackInfo } from './stack-info.ts';

/** The client of a shell. It has all scopes. */
const clientId = 'returns-admin';

/** Quotes a text as one word of any shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Returns a text as one word of any shell, in quotes only where it needs them. */
export const shellWord = (text: string): string => (/^[\w./:@%+=,-]+$/.test(text) ? text : quoted(text));

/** Returns the form of the token request. URLSearchParams leaves no special character of a shell except `&` and `*`. */
const tokenForm = ({ clients }: StackInfo): string => {
  const client = clients.find((known) => known.clientId === clientId);
  if (client === undefined) throw new Error(`there is no client ${clientId}`);
  return new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: client.clientId,
    client_secret: client.clientSecret,
    scope: client.scopes.join(' '),
  }).toString();
};

/*
 * Uses only the common part of POSIX, bash and zsh: in zsh `path` and `status` are special variables. Secrets go to
 * curl by a pipe or a file, because every user of the machine can read the arguments of a process.
 */
const functions = `
# Gets a new token: $token has it, and so has a file that subshells read.
returns_renew() {
  token=$(printf '%s' "$returns_form" | curl -sS -d @- "$returns_token_url" | pick access_token) || {
    echo "No token: nothing answers at $returns_token_url. Start the stack, then load this file again." >&2
    return 1
  }
  (umask 077 && printf 'Authorization: Bearer %s\\n' "$token" >"$returns_dir/authorization")
}

# pick EXPRESSION: prints a part of the JSON on its input, such as status or [input.returnId, input.status].
pick() { node "$returns_pick" "$1"; }

returns_call() (
  target=$1
  shift
  out=$(mktemp -d) || exit 1
  for turn in first second; do
    : >"$out/head" && : >"$out/body"
    curl -sS "$@" -H @"$returns_dir/authorization" -H 'Content-Type: application/json' \\
      -o "$out/body" -D "$out/head" "$url/v1$target"
    result=$?
    code=$(sed -n 's/^HTTP[^ ]* \\([0-9][0-9]*\\).*/\\1/p' "$out/head" | tail -n 1)
    if [ "$turn" = second ] || [ "$code" != 401 ]; then break; fi
    returns_renew || break
  done
  cat "$out/body"
  # A body without a newline at its end gets one, so that answers stand on lines of their own.
  if [ -n "$(tail -c 1 "$out/body")" ]; then echo; fi
  rm -rf "$out"
  if [ "$result" != 0 ]; then
    echo "api $target: no answer from $url. Start the stack, then load env.sh again." >&2
    exit "$result"
  fi
  case $code in [45]*)
    echo "api $target: HTTP $code" >&2
    exit 22
    ;;
  esac
)

# api PATH [curl options]: calls the API with a token, and gets a new one where it has expired.
api() {
  if [ "$#" = 0 ]; then
    echo 'Usage: api PATH [curl options], for example: api /returns' >&2
    return 2
  fi
  returns_call "$@"
  returns_result=$?
  token=$(sed 's/^Authorization: Bearer //' "$returns_dir/authorization")
  return $returns_result
}

# shop PLATFORM ACT [ORDER]: what a customer or staff does in a shop of this stack, such as shop woocommerce order.
shop() {
  if [ "$#" -lt 2 ]; then
    echo 'Usage: shop PLATFORM order|return|refund [ORDER], for example: shop woocommerce order' >&2
    return 2
  fi
  if [ "$#" = 2 ]; then set -- "$1" "$2" ''; fi
  curl -sS --fail-with-body -G -X POST --data-urlencode "order=$3" "$shops_url/$1/$2"
}

# returns COMMAND: the command line of the service, with the address in $url and the client of the stack.
returns() {
  RETURNS_AUTH_URL= RETURNS_TOKEN_PATH= RETURNS_CLIENT_ID= RETURNS_CLIENT_SECRET= \\
    NODE_COMPILE_CACHE="$returns_dir/compiled" RETURNS_PROFILE=local RETURNS_STACK="$returns_dir/stack.json" RETURNS_URL=$url \\
    "$returns_node" --conditions=client "$returns_cli" "$@"
}

returns_renew
`;

/** Returns the text of <dataDir>/env.sh, for bash, zsh and dash. */
const environmentOf = (dataDir: string, info: StackInfo, cli: string): string => {
  const variables = {
    url: info.connected.url,
    standalone_url: info.standalone.url,
    lambda_url: info.connected.lambdaUrl,
    receiver_url: info.receiver.url,
    shops_url: info.shopsUrl,
    ...(info.web && { web_url: info.web.url }),
    mails_url: `${info.aws.ses}/mails`,
    returns_dir: resolve(dataDir),
    returns_token_url: info.tokenUrl,
    returns_form: tokenForm(info),
    returns_pick: join(import.meta.dirname, 'pick.mjs'),
    // The Node of the shell may be older.
    returns_node: process.execPath,
    returns_cli: resolve(cli),
  };
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${quoted(value)}`);
  return `# Written by npm start: loads the functions api, pick and returns, and the variables url and token, into a shell.
# It holds the secret of a client of the local stack, and is removed when the stack ends.
${lines.join('\n')}
${functions}`;
};

export const environmentFile = (dataDir: string): string => join(dataDir, 'env.sh');

/**
 * Writes <dataDir>/env.sh for its owner only.
 *
 * @param cli the command line of the deployment
 * @default the one of the whole contract
 */
export const writeEnvironment = async (
  dataDir: string,
  info: StackInfo,
  cli = join(import.meta.dirname, '../cli/start.ts'),
): Promise<void> => {
  const file = environmentFile(dataDir);
  const draft = `${file}.${process.pid}.tmp`;
  await writeFile(draft, environmentOf(dataDir, info, cli), { mode: 0o600 });
  await chmod(draft, 0o600);
  await rename(draft, file);
};

/** Removes the file, and the token that shells have stored next to it. */
export const removeEnvironment = async (dataDir: string): Promise<void> => {
  await Promise.all(
    [environmentFile(dataDir), join(dataDir, 'authorization')].map((file) => rm(file, { force: true })),
  );
};
