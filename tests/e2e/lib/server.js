// The web servers in front of the responder, each with the configuration that
// ships in deploy/, filled and not changed.
//
// start(kind, site) gives { base, origin, port, stop(), log() }. base is what
// a client's base URL is without /v1. stop throws when a program crashed.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { request } from './http.js';
import { folder_of } from './site.js';
import {
    DEPLOY, end_processes, environment, free_port, give, start_process,
    stop_process, until,
} from './world.js';

export const FRONT_ENDS = ['lighttpd', 'lighttpd-prefix', 'apache', 'nginx',
    'cgi', 'shared-hosting'];

const APACHE_MODULES = ['mpm_event', 'alias', 'env', 'headers', 'mime', 'dir',
    'setenvif', 'authz_core', 'reqtimeout', 'rewrite', 'fcgid'];

// Fill a shipped file; text.
function fill(template, places) {
    return execFileSync(`${DEPLOY}/lib/fill.sh`, [`${DEPLOY}/${template}`,
        ...Object.entries(places).map(([name, value]) => `${name}=${value}`),
    ], { encoding: 'utf8' });
}

function write(name, text, mode = 0o600) {
    fs.writeFileSync(name, text, { mode });
    give(name);
    return name;
}

function which(name) {
    for (const dir of [...process.env.PATH.split(':'), '/usr/sbin', '/sbin'])
        if (fs.existsSync(`${dir}/${name}`)) return `${dir}/${name}`;
    throw new Error(`${name} is not installed`);
}

// What an Apache has in its main configuration before any site.
function apache_main(run, include) {
    return `ServerRoot "${run}"
DefaultRuntimeDir "${run}"
PidFile "${run}/pid"
ErrorLog "${run}/error.log"
ServerName localhost
TypesConfig /dev/null
${APACHE_MODULES.map((name) =>
        `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`)
        .join('\n')}
FcgidIPCDir "${run}"
FcgidProcessTableFile "${run}/fcgid"
${include}
`;
}

function nginx_main(run) {
    return `daemon off;
pid "${run}/pid";
error_log "${run}/error.log";
worker_processes 1;
worker_rlimit_nofile 16384;
events { worker_connections 8192; }
http {
    access_log off;
    client_body_temp_path "${run}/body";
    fastcgi_temp_path "${run}/fastcgi";
    proxy_temp_path "${run}/proxy";
    uwsgi_temp_path "${run}/uwsgi";
    scgi_temp_path "${run}/scgi";
    include "${run}/site.conf";
}
`;
}

// Each kind: writes its files, returns { argv: [[…], …], prefix }.
const KINDS = {
    lighttpd({ run, places }) {
        const conf = write(`${run}/lighttpd.conf`,
            fill('lighttpd/cited.conf', places));
        return { argv: [[which('lighttpd'), '-D', '-f', conf]], prefix: '' };
    },
    'lighttpd-prefix'({ run, places }) {
        const conf = write(`${run}/lighttpd.conf`,
            fill('lighttpd/prefix.conf', places));
        return {
            argv: [[which('lighttpd'), '-D', '-f', conf]],
            prefix: places.PREFIX,
        };
    },
    cgi({ run, places, site }) {
        const dir = folder_of(site, 'cgi');
        write(`${dir}/cited.cgi`, fill('cgi/cited.cgi', places), 0o755);
        fs.copyFileSync(site.conf, `${dir}/cited.conf`);
        give(dir);
        const conf = write(`${run}/lighttpd.conf`,
            fill('cgi/lighttpd.conf', { ...places, CGIDIR: dir }));
        return { argv: [[which('lighttpd'), '-D', '-f', conf]], prefix: '' };
    },
    apache({ run, places }) {
        write(`${run}/site.conf`, fill('apache/cited.conf', places));
        const conf = write(`${run}/apache.conf`,
            apache_main(run, `Include "${run}/site.conf"`));
        return {
            argv: [[which('apache2'), '-D', 'FOREGROUND', '-f', conf]],
            prefix: '',
        };
    },
    // A host that gives its users a folder and .htaccess, nothing else. Its
    // limits for FastCGI are mod_fcgid's own.
    'shared-hosting'({ run, places, site }) {
        const web = folder_of(site, 'web');
        const dir = `${web}/cited`;
        fs.mkdirSync(dir);
        fs.cpSync(`${DEPLOY}/errors`, `${dir}/errors`, { recursive: true });
        fs.cpSync(`${site.dir}/www`, dir, { recursive: true });
        write(`${dir}/.htaccess`,
            fill('shared-hosting/.htaccess', { BASE: '/cited' }));
        write(`${dir}/cited.cgi`, fill('cgi/cited.cgi', places), 0o755);
        fs.copyFileSync(site.conf, `${dir}/cited.conf`);
        give(web);
        const conf = write(`${run}/apache.conf`, apache_main(run, `
Listen 127.0.0.1:${places.PORT}
DocumentRoot "${web}"
FcgidIOTimeout ${places.TIMEOUT}
<Directory "${web}">
    AllowOverride All
    Require all granted
</Directory>`));
        return {
            argv: [[which('apache2'), '-D', 'FOREGROUND', '-f', conf]],
            prefix: '/cited',
        };
    },
    nginx({ run, places }) {
        write(`${run}/site.conf`, fill('nginx/cited.conf', places));
        const conf = write(`${run}/nginx.conf`, nginx_main(run));
        const spawner = write(`${run}/spawn`,
            fill('spawn-fcgi/cited', places), 0o755);
        return {
            argv: [[spawner],
                [which('nginx'), '-c', conf, '-e', `${run}/error.log`]],
            prefix: '',
        };
    },
};

// timeout: the server's own, in seconds.
export async function start(kind, site, { timeout = 60, env = {} } = {}) {
    const run = folder_of(site, 'run');
    const port = await free_port();
    const errors = `${site.dir}/deploy/${kind.startsWith('lighttpd') ||
        kind === 'cgi' ? 'lighttpd/errors' : 'errors'}`;
    const { argv, prefix } = KINDS[kind]({
        run, site,
        places: {
            ADDRESS: '127.0.0.1', PORT: port, BINDIR: site.bin,
            DATA: site.data, RUN: run, WWW: `${site.dir}/www`,
            ERRORS: errors, TIMEOUT: timeout, PREFIX: '/api',
            SOCKET: `${run}/cited.sock`,
        },
    });
    const children = argv.map((args) => start_process(args, {
        cwd: site.bin, env: { ...environment(site.dir, site.env), ...env },
    }));
    const server = {
        kind, site, port, run, children,
        origin: `http://127.0.0.1:${port}`,
        base: `http://127.0.0.1:${port}${prefix}`,
        log() {
            const file = `${run}/error.log`;
            return children.map((child) => child.output).join('') +
                (fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '');
        },
        async stop({ crashes = false } = {}) {
            for (const child of children.toReversed())
                await stop_process(child);
            const deaf = await end_processes(site.dir);
            const log = server.log();
            if (!crashes) no_crash(log);
            if (!crashes && deaf.length)
                throw new Error(`did not end on SIGTERM: ${deaf}\n${log}`);
        },
    };
    try {
        await until(() => {
            for (const child of children)
                if (child.ended) throw new Error('ended by itself');
            return request(`${server.base}/healthz`, { timeout: 20000 })
                .then((res) => res.status === 200, () => false);
        }, 30000, `${kind} answers`);
    } catch (e) {
        const log = server.log();
        await server.stop({ crashes: true });
        throw new Error(`${kind} does not start: ${e.message}\n${log}`);
    }
    return server;
}

// The ways in which servers and sanitizers report that a program crashed. Of a
// process of its own Apache says "exit signal"; of ours mod_fcgid speaks.
function no_crash(log) {
    const line = log.split('\n').find((one) =>
        /Sanitizer|runtime error:|child signal|unexpected signal (?!9\b|15\b)|Assertion|stack smashing|double free|core dumped/i
            .test(one));
    if (line) throw new Error(`a program crashed: ${line}\n${log}`);
}
