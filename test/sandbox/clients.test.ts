/** A list of hosts, as the programs that agents use see it: curl, git, npm and node, in the clear and through a tunnel. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecure } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { planOf } from '../loop/scene.ts';
import { makeRepo } from '../support/repo.ts';
import { whyNoBwrap } from './bwrap-here.ts';

/** Addresses of this machine that no program takes for the loopback, so that all of them ask the proxy. */
const [LISTED, OTHER] = ['127.0.0.2', '127.0.0.3'];

const missing = ['curl', 'openssl', 'npm'].filter(program => spawnSync(program, ['--version']).status === null);
const refused = whyNoBwrap() || (missing.length > 0 ? ` (SKIPPED: no ${missing.join(', ')})` : '');

describe.skipIf(refused !== '')(`programs behind a list of hosts${refused}`, () => {
  const top = mkdtempSync(join(tmpdir(), 'ralph-clients-'));
  const files = join(top, 'files');
  const servers: Server[] = [];
  const ports = { clear: 0, secure: 0, other: 0 };

  const serve: RequestListener = (request, response) => {
    const path = new URL(request.url ?? '/', 'http://x').pathname;
    const file = join(files, path);
    const found = existsSync(file) && statSync(file).isFile();
    response.writeHead(found ? 200 : 404).end(found ? readFileSync(file) : '');
  };
  const listen = (server: Server, host: string): Promise<number> => {
    servers.push(server);
    return new Promise(done => {
      server.listen(0, host, () => done((server.address() as AddressInfo).port));
    });
  };

  beforeAll(async () => {
    mkdirSync(files);
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@localhost', ...args], { cwd: files });
    git('init', '-q', 'work');
    execFileSync(
      'sh',
      [
        '-c',
        'echo served > file && echo \'{"name":"thing","dist-tags":{"latest":"1.2.3"},"versions":{"1.2.3":{"name":"thing","version":"1.2.3"}}}\' > thing',
      ],
      {
        cwd: files,
      },
    );
    git('-C', 'work', 'commit', '-q', '--allow-empty', '-m', 'Served');
    git('clone', '-q', '--bare', 'work', 'repo.git');
    git('-C', 'repo.git', 'update-server-info');
    const [key, cert] = [join(top, 'key.pem'), join(files, 'cert.pem')];
    const subject = ['-subj', '/CN=localhost', '-addext', `subjectAltName=IP:${LISTED}`];
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:prime256v1',
        '-nodes',
        '-days',
        '2',
        '-keyout',
        key,
        '-out',
        cert,
        ...subject,
      ],
      { stdio: 'ignore' },
    );
    ports.clear = await listen(createServer(serve), LISTED);
    ports.secure = await listen(createSecure({ key: readFileSync(key), cert: readFileSync(cert) }, serve), LISTED);
    ports.other = await listen(createServer(serve), OTHER);
  });
  afterAll(() => {
    for (const server of servers) server.close();
    rmSync(top, { recursive: true, force: true });
  });

  it('reach what is on it, and are told why they do not reach the rest', async () => {
    const [clear, secure] = [`http://${LISTED}:${ports.clear}`, `https://${LISTED}:${ports.secure}`];
    const other = `${OTHER}:${ports.other}`;
    const get = (url: string) =>
      `fetch(${JSON.stringify(url)}).then(r => r.text()).then(t => console.log(t.trim())).catch(e => console.log('no network', e.cause?.code))`;
    const lines: readonly (readonly [string, string])[] = [
      ['curl', `curl -s ${clear}/file`],
      ['curl tls', `curl -s --cacert cert.pem ${secure}/file`],
      ['curl refused', `curl -s http://${other}/file`],
      ['curl tls refused', `curl -sS https://${other}/file 2>&1`],
      ['git', `git clone -q ${clear}/repo.git one 2>&1 && git -C one log -1 --format=%s`],
      [
        'git tls',
        `git -c http.sslCAInfo=$PWD/cert.pem clone -q ${secure}/repo.git two 2>&1 && git -C two log -1 --format=%s`,
      ],
      ['git refused', `git clone -q http://${other}/repo.git three 2>&1 | tail -1`],
      ['npm', `npm view thing version --registry ${clear}/ 2>&1`],
      ['npm tls', `npm view thing version --cafile=cert.pem --registry ${secure}/ 2>&1`],
      ['npm refused', `npm view thing version --fetch-retries=0 --registry http://${other}/ 2>&1 | grep -m1 '403 '`],
      [
        'npm tls refused',
        `npm view thing version --fetch-retries=0 --registry https://${other}/ 2>&1 | grep -m1 '403 '`,
      ],
      ['node', `node -e ${JSON.stringify(get(`${clear}/file`))}`],
    ];
    const script = [
      'cat > /dev/null; export npm_config_update_notifier=false npm_config_loglevel=error',
      ...lines.map(([name, command]) => `echo "${name}: $(${command})" >> seen.txt`),
      'rm -rf one two three; echo "RALPH_TASK_COMPLETE: $RALPH_ITEM"',
    ].join('\n');
    const repo = makeRepo({
      plan: planOf('US-1'),
      files: { 'cert.pem': readFileSync(join(files, 'cert.pem'), 'utf8') },
      config: {
        gates: ['true'],
        agent: { command: ['sh', '-c', script] },
        sandbox: { tier: 'bwrap', network: [`${LISTED}:${ports.clear}`, `${LISTED}:${ports.secure}`] },
      },
    });
    const { code, stdout } = await repo.ralph(['run']);
    expect(code, stdout).toBe(0);
    const seen = Object.fromEntries(
      repo
        .read('seen.txt')
        .trim()
        .split('\n')
        .map(line => line.split(/: (.*)/s).slice(0, 2)),
    ) as Record<string, string>;
    const sentence = 'The sandbox lets this session reach only the hosts in sandbox.network of the config';
    expect(seen).toMatchObject({
      curl: 'served',
      'curl tls': 'served',
      'curl refused': expect.stringContaining(sentence),
      'curl tls refused': expect.stringContaining('403'),
      git: 'Served',
      'git tls': 'Served',
      'git refused': expect.stringContaining('403'),
      npm: '1.2.3',
      'npm tls': '1.2.3',
      'npm refused': expect.stringContaining('403'),
      'npm tls refused': expect.stringContaining('403'),
    });
    // Before 22.21 node's own fetch knows no proxy.
    expect(['served', 'no network ECONNREFUSED', 'no network ENETUNREACH']).toContain(seen['node']);
    expect(stdout).toContain(`the sandbox refused a connection to ${other}`);
  });
});
