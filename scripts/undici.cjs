// What the clients of GitHub's API use of undici. All of it (mock agents, web sockets, caches) would be a quarter of the
// built file.
exports.ProxyAgent = require('undici/lib/dispatcher/proxy-agent')
exports.fetch = require('undici/lib/web/fetch').fetch
// A proxy is asked with a method that the whole package mixes in.
Object.assign(require('undici/lib/dispatcher/dispatcher').prototype, require('undici/lib/api'))
