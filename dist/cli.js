import { createRequire } from "node:module";
import { closeSync, constants, existsSync, fstatSync, lstatSync, mkdtempSync, openSync, readFileSync, readdirSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path$1, { dirname, join, posix, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createHash } from "node:crypto";
import perf_hooks from "node:perf_hooks";
import { spawnSync } from "node:child_process";
import * as os from "os";
import * as events from "events";
import * as child from "child_process";
import * as path from "path";
import * as fs from "fs";
import { setTimeout as setTimeout$1 } from "timers";
// \0rolldown/runtime.js
var __create = Object.create;
var __defProp = Object.defineProperty;
var __getOwnPropDesc = Object.getOwnPropertyDescriptor;
var __getOwnPropNames = Object.getOwnPropertyNames;
var __getProtoOf = Object.getPrototypeOf;
var __hasOwnProp = Object.prototype.hasOwnProperty;
var __commonJSMin = (cb, mod) => () => (mod || (cb((mod = { exports: {} }).exports, mod, mod.exports), cb = null), mod.exports);
var __copyProps = (to, from, except, desc) => {
	if (from && typeof from === "object" || typeof from === "function") for (var keys = __getOwnPropNames(from), i = 0, n = keys.length, key; i < n; i++) {
		key = keys[i];
		if (!__hasOwnProp.call(to, key) && key !== except) __defProp(to, key, {
			get: ((k) => from[k]).bind(null, key),
			enumerable: !(desc = __getOwnPropDesc(from, key)) || desc.enumerable
		});
	}
	return to;
};
var __toESM = (mod, isNodeMode, target) => (target = mod != null ? __create(__getProtoOf(mod)) : {}, __copyProps(isNodeMode || !mod || !mod.__esModule || !__hasOwnProp.call(mod, "default") ? __defProp(target, "default", {
	value: mod,
	enumerable: true
}) : target, mod));
var __require = (() => createRequire(import.meta.url))();
// src/read/text.ts
function decodeText(bytes, named = null) {
	const encoding = startsWith(bytes, 255, 254) ? "utf-16le" : startsWith(bytes, 254, 255) ? "utf-16be" : "utf-8";
	try {
		return {
			text: (named ?? new TextDecoder(encoding, { fatal: true })).decode(bytes),
			invalidAt: null
		};
	} catch {
		const text = new TextDecoder(named?.encoding ?? encoding).decode(bytes);
		return {
			text,
			invalidAt: lineOf(text, text.indexOf("�"))
		};
	}
}
function lineOf(text, offset) {
	let line = 1;
	for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) line++;
	return line;
}
function clip(text, max) {
	if (text.length <= max) return text;
	return `${text.slice(0, max).replace(/[\ud800-\udbff]$/, "")}…`;
}
function clipEntries(entries, max) {
	if (entries.length <= max) return entries;
	return [...entries.slice(0, max), {
		line: null,
		text: `${entries.length - max} more lines`
	}];
}
function startsWith(bytes, first, second) {
	return bytes[0] === first && bytes[1] === second;
}
// src/read/exit.ts
function readExit(file, bytes) {
	const { text, invalidAt } = decodeText(bytes);
	const problems = invalidAt === null ? [] : [{
		kind: "not-utf8",
		file,
		line: invalidAt
	}];
	const content = text.trim();
	const code = /^\d{1,3}$/.test(content) && Number(content) <= 255 ? Number(content) : null;
	return {
		exit: {
			file,
			runner: file.replace(/\.exit$/, ""),
			code,
			word: code === null ? clip(content, 200) : null
		},
		problems
	};
}
function exitCodeOf(exits) {
	const codes = exits.map((exit) => exit.code);
	const failed = codes.find((code) => code !== null && code !== 0);
	const unknown = codes.length === 0 || codes.includes(null);
	return failed ?? (unknown ? null : 0);
}
// node_modules/js-yaml/dist/js-yaml.mjs
/*! js-yaml 5.5.0 https://github.com/nodeca/js-yaml @license MIT */
var NOT_RESOLVED = Symbol("NOT_RESOLVED");
function defineScalarTag(tagName, options) {
	return {
		tagName,
		nodeKind: "scalar",
		implicit: options.implicit ?? false,
		matchByTagPrefix: options.matchByTagPrefix ?? false,
		implicitFirstChars: options.implicitFirstChars ?? null,
		resolve: options.resolve,
		identify: options.identify,
		represent: options.represent ?? ((data) => String(data)),
		representTagName: options.representTagName ?? (() => tagName)
	};
}
function defineSequenceTag(tagName, options) {
	const carrierIsResult = options.finalize === void 0;
	return {
		tagName,
		nodeKind: "sequence",
		implicit: false,
		matchByTagPrefix: options.matchByTagPrefix ?? false,
		create: options.create,
		addItem: options.addItem,
		finalize: options.finalize ?? ((carrier) => carrier),
		carrierIsResult,
		identify: options.identify,
		represent: options.represent ?? ((data) => data),
		representTagName: options.representTagName ?? (() => tagName)
	};
}
function defineMappingTag(tagName, options) {
	const carrierIsResult = options.finalize === void 0;
	return {
		tagName,
		nodeKind: "mapping",
		implicit: false,
		matchByTagPrefix: options.matchByTagPrefix ?? false,
		create: options.create,
		addPair: options.addPair,
		has: options.has,
		keys: options.keys,
		get: options.get,
		finalize: options.finalize ?? ((carrier) => carrier),
		carrierIsResult,
		identify: options.identify,
		represent: options.represent ?? ((data) => data),
		representTagName: options.representTagName ?? (() => tagName)
	};
}
var strTag = defineScalarTag("tag:yaml.org,2002:str", {
	resolve: (source) => source,
	identify: (data) => typeof data === "string"
});
var NULL_VALUES$1 = [
	"",
	"~",
	"null",
	"Null",
	"NULL"
];
var nullCoreTag = defineScalarTag("tag:yaml.org,2002:null", {
	implicit: true,
	implicitFirstChars: [
		"",
		"~",
		"n",
		"N"
	],
	resolve: (source) => {
		if (NULL_VALUES$1.indexOf(source) !== -1) return null;
		return NOT_RESOLVED;
	},
	identify: (object) => object === null,
	represent: () => "null"
});
var nullJsonTag = defineScalarTag("tag:yaml.org,2002:null", {
	implicit: true,
	implicitFirstChars: ["n"],
	resolve: (source, isExplicit) => {
		if (source === "null" || isExplicit && source === "") return null;
		return NOT_RESOLVED;
	},
	identify: (object) => object === null,
	represent: () => "null"
});
var NULL_VALUES = [
	"",
	"~",
	"null",
	"Null",
	"NULL"
];
var nullYaml11Tag = defineScalarTag("tag:yaml.org,2002:null", {
	implicit: true,
	implicitFirstChars: [
		"",
		"~",
		"n",
		"N"
	],
	resolve: (source) => {
		if (NULL_VALUES.indexOf(source) !== -1) return null;
		return NOT_RESOLVED;
	},
	identify: (object) => object === null,
	represent: () => "null"
});
var TRUE_VALUES$2 = [
	"true",
	"True",
	"TRUE"
];
var FALSE_VALUES$2 = [
	"false",
	"False",
	"FALSE"
];
var boolCoreTag = defineScalarTag("tag:yaml.org,2002:bool", {
	implicit: true,
	implicitFirstChars: [
		"t",
		"T",
		"f",
		"F"
	],
	resolve: (source) => {
		if (TRUE_VALUES$2.indexOf(source) !== -1) return true;
		if (FALSE_VALUES$2.indexOf(source) !== -1) return false;
		return NOT_RESOLVED;
	},
	identify: (object) => Object.prototype.toString.call(object) === "[object Boolean]",
	represent: (object) => object ? "true" : "false"
});
var TRUE_VALUES$1 = ["true"];
var FALSE_VALUES$1 = ["false"];
var boolJsonTag = defineScalarTag("tag:yaml.org,2002:bool", {
	implicit: true,
	implicitFirstChars: ["t", "f"],
	resolve: (source) => {
		if (TRUE_VALUES$1.indexOf(source) !== -1) return true;
		if (FALSE_VALUES$1.indexOf(source) !== -1) return false;
		return NOT_RESOLVED;
	},
	identify: (object) => Object.prototype.toString.call(object) === "[object Boolean]",
	represent: (object) => object ? "true" : "false"
});
var TRUE_VALUES = [
	"true",
	"True",
	"TRUE",
	"y",
	"Y",
	"yes",
	"Yes",
	"YES",
	"on",
	"On",
	"ON"
];
var FALSE_VALUES = [
	"false",
	"False",
	"FALSE",
	"n",
	"N",
	"no",
	"No",
	"NO",
	"off",
	"Off",
	"OFF"
];
var boolYaml11Tag = defineScalarTag("tag:yaml.org,2002:bool", {
	implicit: true,
	implicitFirstChars: [
		"y",
		"Y",
		"n",
		"N",
		"t",
		"T",
		"f",
		"F",
		"o",
		"O"
	],
	resolve: (source) => {
		if (TRUE_VALUES.indexOf(source) !== -1) return true;
		if (FALSE_VALUES.indexOf(source) !== -1) return false;
		return NOT_RESOLVED;
	},
	identify: (object) => Object.prototype.toString.call(object) === "[object Boolean]",
	represent: (object) => object ? "true" : "false"
});
var YAML_INTEGER_IMPLICIT_PATTERN$1 = new RegExp("^(?:0o[0-7]+|0x[0-9a-fA-F]+|[-+]?[0-9]+)$");
var YAML_INTEGER_EXPLICIT_PATTERN$1 = new RegExp("^(?:[-+]?0b[0-1]+|[-+]?0o[0-7]+|[-+]?0x[0-9a-fA-F]+|[-+]?[0-9]+)$");
function parseYamlInteger$2(source) {
	let value = source;
	let sign = 1;
	if (value[0] === "-" || value[0] === "+") {
		if (value[0] === "-") sign = -1;
		value = value.slice(1);
	}
	if (value.startsWith("0b")) return sign * parseInt(value.slice(2), 2);
	if (value.startsWith("0o")) return sign * parseInt(value.slice(2), 8);
	if (value.startsWith("0x")) return sign * parseInt(value.slice(2), 16);
	return sign * parseInt(value, 10);
}
function resolveYamlInteger$2(source, isExplicit) {
	if (isExplicit) {
		if (!YAML_INTEGER_EXPLICIT_PATTERN$1.test(source)) return NOT_RESOLVED;
	} else if (!YAML_INTEGER_IMPLICIT_PATTERN$1.test(source)) return NOT_RESOLVED;
	const result = parseYamlInteger$2(source);
	return Number.isFinite(result) ? result : NOT_RESOLVED;
}
var intCoreTag = defineScalarTag("tag:yaml.org,2002:int", {
	implicit: true,
	implicitFirstChars: [
		"-",
		"+",
		..."0123456789"
	],
	resolve: resolveYamlInteger$2,
	identify: (object) => Number.isInteger(object) && !Object.is(object, -0) && object.toString(10).indexOf("e") < 0,
	represent: (object) => object.toString(10)
});
var YAML_INTEGER_IMPLICIT_PATTERN = new RegExp("^-?(?:0|[1-9][0-9]*)$");
var YAML_INTEGER_EXPLICIT_PATTERN = new RegExp("^(?:[-+]?0b[0-1]+|[-+]?0o[0-7]+|[-+]?0x[0-9a-fA-F]+|[-+]?[0-9]+)$");
function parseYamlInteger$1(source) {
	let value = source;
	let sign = 1;
	if (value[0] === "-" || value[0] === "+") {
		if (value[0] === "-") sign = -1;
		value = value.slice(1);
	}
	if (value.startsWith("0b")) return sign * parseInt(value.slice(2), 2);
	if (value.startsWith("0o")) return sign * parseInt(value.slice(2), 8);
	if (value.startsWith("0x")) return sign * parseInt(value.slice(2), 16);
	return sign * parseInt(value, 10);
}
function resolveYamlInteger$1(source, isExplicit) {
	if (isExplicit) {
		if (!YAML_INTEGER_EXPLICIT_PATTERN.test(source)) return NOT_RESOLVED;
	} else if (!YAML_INTEGER_IMPLICIT_PATTERN.test(source)) return NOT_RESOLVED;
	const result = parseYamlInteger$1(source);
	return Number.isFinite(result) ? result : NOT_RESOLVED;
}
var intJsonTag = defineScalarTag("tag:yaml.org,2002:int", {
	implicit: true,
	implicitFirstChars: ["-", ..."0123456789"],
	resolve: resolveYamlInteger$1,
	identify: (object) => Number.isInteger(object) && !Object.is(object, -0) && object.toString(10).indexOf("e") < 0,
	represent: (object) => object.toString(10)
});
var YAML_INTEGER_PATTERN = new RegExp("^(?:[-+]?0b[0-1_]+|[-+]?0[0-7_]+|[-+]?0x[0-9a-fA-F_]+|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+|[-+]?(?:0|[1-9][0-9_]*))$");
function parseYamlInteger(source) {
	let value = source.replace(/_/g, "");
	let sign = 1;
	if (value[0] === "-" || value[0] === "+") {
		if (value[0] === "-") sign = -1;
		value = value.slice(1);
	}
	if (value.startsWith("0b")) return sign * parseInt(value.slice(2), 2);
	if (value.startsWith("0x")) return sign * parseInt(value.slice(2), 16);
	if (value.includes(":")) {
		let result = 0;
		for (const part of value.split(":")) result = result * 60 + Number(part);
		return sign * result;
	}
	if (value !== "0" && value[0] === "0") return sign * parseInt(value, 8);
	return sign * parseInt(value, 10);
}
function resolveYamlInteger(source) {
	if (!YAML_INTEGER_PATTERN.test(source)) return NOT_RESOLVED;
	const result = parseYamlInteger(source);
	return Number.isFinite(result) ? result : NOT_RESOLVED;
}
var intYaml11Tag = defineScalarTag("tag:yaml.org,2002:int", {
	implicit: true,
	implicitFirstChars: [
		"-",
		"+",
		..."0123456789"
	],
	resolve: resolveYamlInteger,
	identify: (object) => Number.isInteger(object) && !Object.is(object, -0) && object.toString(10).indexOf("e") < 0,
	represent: (object) => object.toString(10)
});
var YAML_FLOAT_PATTERN$1 = new RegExp("^(?:[-+]?[0-9]+(?:\\.[0-9]*)?(?:[eE][-+]?[0-9]+)?|[-+]?\\.[0-9]+(?:[eE][-+]?[0-9]+)?|[-+]?\\.(?:inf|Inf|INF)|\\.(?:nan|NaN|NAN))$");
var YAML_FLOAT_SPECIAL_PATTERN$1 = new RegExp("^(?:[-+]?\\.(?:inf|Inf|INF)|\\.(?:nan|NaN|NAN))$");
function resolveYamlFloat$2(source) {
	if (!YAML_FLOAT_PATTERN$1.test(source)) return NOT_RESOLVED;
	let value = source.toLowerCase();
	const sign = value[0] === "-" ? -1 : 1;
	if ("+-".includes(value[0])) value = value.slice(1);
	if (value === ".inf") return sign === 1 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
	if (value === ".nan") return NaN;
	const result = sign * parseFloat(value);
	if (Number.isFinite(result) || YAML_FLOAT_SPECIAL_PATTERN$1.test(source)) return result;
	return NOT_RESOLVED;
}
function representYamlFloat$2(object) {
	if (isNaN(object)) return ".nan";
	if (object === Number.POSITIVE_INFINITY) return ".inf";
	if (object === Number.NEGATIVE_INFINITY) return "-.inf";
	if (Object.is(object, -0)) return "-0.0";
	const result = object.toString(10);
	return /^[-+]?[0-9]+e/.test(result) ? result.replace("e", ".e") : result;
}
var floatCoreTag = defineScalarTag("tag:yaml.org,2002:float", {
	implicit: true,
	implicitFirstChars: [
		"-",
		"+",
		".",
		..."0123456789"
	],
	resolve: resolveYamlFloat$2,
	identify: (object) => typeof object === "number" && (!Number.isInteger(object) || Object.is(object, -0) || object.toString(10).indexOf("e") >= 0),
	represent: representYamlFloat$2
});
var YAML_FLOAT_IMPLICIT_PATTERN = new RegExp("^-?(?:0|[1-9][0-9]*)(?:\\.[0-9]*)?(?:[eE][-+]?[0-9]+)?$");
var YAML_FLOAT_EXPLICIT_PATTERN = new RegExp("^(?:[-+]?[0-9]+(?:\\.[0-9]*)?(?:[eE][-+]?[0-9]+)?|[-+]?\\.[0-9]+(?:[eE][-+]?[0-9]+)?|[-+]?\\.(?:inf|Inf|INF)|\\.(?:nan|NaN|NAN))$");
function resolveYamlFloat$1(source, isExplicit) {
	if (isExplicit) {
		if (!YAML_FLOAT_EXPLICIT_PATTERN.test(source)) return NOT_RESOLVED;
		let value = source.toLowerCase();
		const sign = value[0] === "-" ? -1 : 1;
		if ("+-".includes(value[0])) value = value.slice(1);
		if (value === ".inf") return sign === 1 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
		if (value === ".nan") return NaN;
		const result = sign * parseFloat(value);
		return Number.isFinite(result) ? result : NOT_RESOLVED;
	}
	if (!YAML_FLOAT_IMPLICIT_PATTERN.test(source)) return NOT_RESOLVED;
	const result = Number(source);
	if (Number.isFinite(result)) return result;
	return NOT_RESOLVED;
}
function representYamlFloat$1(object) {
	if (isNaN(object)) return ".nan";
	if (object === Number.POSITIVE_INFINITY) return ".inf";
	if (object === Number.NEGATIVE_INFINITY) return "-.inf";
	if (Object.is(object, -0)) return "-0.0";
	const result = object.toString(10);
	return /^[-+]?[0-9]+e/.test(result) ? result.replace("e", ".e") : result;
}
var floatJsonTag = defineScalarTag("tag:yaml.org,2002:float", {
	implicit: true,
	implicitFirstChars: ["-", ..."0123456789"],
	resolve: resolveYamlFloat$1,
	identify: (object) => typeof object === "number" && (!Number.isInteger(object) || Object.is(object, -0) || object.toString(10).indexOf("e") >= 0),
	represent: representYamlFloat$1
});
var YAML_FLOAT_PATTERN = new RegExp("^(?:[-+]?(?:(?:[0-9][0-9_]*)?\\.[0-9_]*)(?:[eE][-+][0-9]+)?|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\\.[0-9_]*|[-+]?\\.(?:inf|Inf|INF)|\\.(?:nan|NaN|NAN))$");
var YAML_FLOAT_SPECIAL_PATTERN = new RegExp("^(?:[-+]?\\.(?:inf|Inf|INF)|\\.(?:nan|NaN|NAN))$");
function resolveYamlFloat(source) {
	if (!YAML_FLOAT_PATTERN.test(source)) return NOT_RESOLVED;
	let value = source.toLowerCase().replace(/_/g, "");
	const sign = value[0] === "-" ? -1 : 1;
	if ("+-".includes(value[0])) value = value.slice(1);
	if (value === ".inf") return sign === 1 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
	if (value === ".nan") return NaN;
	let result = 0;
	if (value.includes(":")) {
		for (const part of value.split(":")) result = result * 60 + Number(part);
		result *= sign;
	} else result = sign * parseFloat(value);
	if (Number.isFinite(result) || YAML_FLOAT_SPECIAL_PATTERN.test(source)) return result;
	return NOT_RESOLVED;
}
function representYamlFloat(object) {
	if (isNaN(object)) return ".nan";
	if (object === Number.POSITIVE_INFINITY) return ".inf";
	if (object === Number.NEGATIVE_INFINITY) return "-.inf";
	if (Object.is(object, -0)) return "-0.0";
	const result = object.toString(10);
	return /^[-+]?[0-9]+e/.test(result) ? result.replace("e", ".e") : result;
}
var floatYaml11Tag = defineScalarTag("tag:yaml.org,2002:float", {
	implicit: true,
	implicitFirstChars: [
		"-",
		"+",
		".",
		..."0123456789"
	],
	resolve: resolveYamlFloat,
	identify: (object) => typeof object === "number" && (!Number.isInteger(object) || Object.is(object, -0) || object.toString(10).indexOf("e") >= 0),
	represent: representYamlFloat
});
var mergeTag = defineScalarTag("tag:yaml.org,2002:merge", {
	implicit: true,
	implicitFirstChars: ["<"],
	resolve: (source, isExplicit) => {
		if (source === "<<" || isExplicit && source === "") return "<<";
		return NOT_RESOLVED;
	},
	identify: () => false
});
var BASE64_PATTERN = /^[A-Za-z0-9+/]*={0,2}$/;
function resolveYamlBinary(source) {
	const input = source.replace(/\s/g, "");
	if (input.length % 4 !== 0 || !BASE64_PATTERN.test(input)) return NOT_RESOLVED;
	const binary = atob(input);
	const result = new Uint8Array(binary.length);
	for (let index = 0; index < binary.length; index++) result[index] = binary.charCodeAt(index);
	return result;
}
function representYamlBinary(object) {
	let binary = "";
	for (let index = 0; index < object.length; index++) binary += String.fromCharCode(object[index]);
	return btoa(binary);
}
var binaryTag = defineScalarTag("tag:yaml.org,2002:binary", {
	resolve: resolveYamlBinary,
	identify: (object) => Object.prototype.toString.call(object) === "[object Uint8Array]",
	represent: representYamlBinary
});
var YAML_DATE_REGEXP = new RegExp("^([0-9][0-9][0-9][0-9])-([0-9][0-9])-([0-9][0-9])$");
var YAML_TIMESTAMP_REGEXP = new RegExp("^([0-9][0-9][0-9][0-9])-([0-9][0-9]?)-([0-9][0-9]?)(?:[Tt]|[ \\t]+)([0-9][0-9]?):([0-9][0-9]):([0-9][0-9])(?:\\.([0-9]*))?(?:[ \\t]*(Z|([-+])([0-9][0-9]?)(?::([0-9][0-9]))?))?$");
function makeUtcDate(year, month, day, hour = 0, minute = 0, second = 0, fraction = 0) {
	const date = new Date(Date.UTC(year, month, day, hour, minute, second, fraction));
	date.setUTCFullYear(year, month, day);
	return date;
}
function resolveYamlTimestamp(source) {
	let match = YAML_DATE_REGEXP.exec(source);
	if (match === null) match = YAML_TIMESTAMP_REGEXP.exec(source);
	if (match === null) return NOT_RESOLVED;
	const year = +match[1];
	const month = +match[2] - 1;
	const day = +match[3];
	if (!match[4]) {
		const date = makeUtcDate(year, month, day);
		if (date.getUTCFullYear() !== year || date.getUTCMonth() !== month || date.getUTCDate() !== day) return NOT_RESOLVED;
		return date;
	}
	const hour = +match[4];
	const minute = +match[5];
	const second = +match[6];
	let fraction = 0;
	if (hour > 23 || minute > 59 || second > 59) return NOT_RESOLVED;
	if (match[7]) {
		let value = match[7].slice(0, 3);
		while (value.length < 3) value += "0";
		fraction = +value;
	}
	const date = makeUtcDate(year, month, day, hour, minute, second, fraction);
	if (date.getUTCFullYear() !== year || date.getUTCMonth() !== month || date.getUTCDate() !== day) return NOT_RESOLVED;
	if (match[9]) {
		const offsetHour = +match[10];
		const offsetMinute = +(match[11] || 0);
		if (offsetHour > 23 || offsetMinute > 59) return NOT_RESOLVED;
		const offset = (offsetHour * 60 + offsetMinute) * 6e4;
		date.setTime(date.getTime() - (match[9] === "-" ? -offset : offset));
	}
	return date;
}
var timestampTag = defineScalarTag("tag:yaml.org,2002:timestamp", {
	implicit: true,
	implicitFirstChars: [..."0123456789"],
	resolve: resolveYamlTimestamp,
	identify: (object) => object instanceof Date,
	represent: (object) => object.toISOString()
});
var seqTag = defineSequenceTag("tag:yaml.org,2002:seq", {
	create: () => [],
	addItem: (container, item) => {
		container.push(item);
	},
	identify: Array.isArray
});
function isPlainObject(data) {
	if (data === null || typeof data !== "object" || Array.isArray(data)) return false;
	const prototype = Object.getPrototypeOf(data);
	return prototype === null || prototype === Object.prototype;
}
function pick(object, keys) {
	const result = {};
	for (const key of keys) if (object[key] !== void 0) result[key] = object[key];
	return result;
}
var omapTag = defineSequenceTag("tag:yaml.org,2002:omap", {
	create: () => ({
		list: [],
		seen: new Set()
	}),
	addItem: (carrier, item) => {
		let key;
		if (item instanceof Map) {
			if (item.size !== 1) return "cannot resolve an ordered map item";
			key = item.keys().next().value;
		} else if (isPlainObject(item)) {
			const itemKeys = Object.keys(item);
			if (itemKeys.length !== 1) return "cannot resolve an ordered map item";
			key = itemKeys[0];
		} else return "cannot resolve an ordered map item";
		if (carrier.seen.has(key)) return "duplicate key in ordered map";
		carrier.seen.add(key);
		carrier.list.push(item);
		return "";
	},
	finalize: (carrier) => carrier.list,
	identify: () => false
});
var pairsTag = defineSequenceTag("tag:yaml.org,2002:pairs", {
	create: () => [],
	addItem: (container, item) => {
		if (item instanceof Map) {
			if (item.size !== 1) return "cannot resolve a pairs item";
			container.push(item.entries().next().value);
			return "";
		}
		if (Object.prototype.toString.call(item) !== "[object Object]") return "cannot resolve a pairs item";
		const object = item;
		const keys = Object.keys(object);
		if (keys.length !== 1) return "cannot resolve a pairs item";
		container.push([keys[0], object[keys[0]]]);
		return "";
	},
	identify: () => false
});
var mapTag = defineMappingTag("tag:yaml.org,2002:map", {
	create: () => ({}),
	identify: isPlainObject,
	represent: (o) => {
		const map = new Map();
		for (const key of Object.keys(o)) map.set(key, o[key]);
		return map;
	},
	addPair: (container, key, value) => {
		if (key !== null && typeof key === "object") return "object-based map does not support complex keys";
		const normalizedKey = String(key);
		if (normalizedKey === "__proto__") Object.defineProperty(container, normalizedKey, {
			value,
			enumerable: true,
			configurable: true,
			writable: true
		});
		else container[normalizedKey] = value;
		return "";
	},
	has: (container, key) => {
		if (key !== null && typeof key === "object") return false;
		return Object.prototype.hasOwnProperty.call(container, String(key));
	},
	keys: (container) => Object.keys(container),
	get: (container, key) => {
		const normalizedKey = String(key);
		if (!Object.prototype.hasOwnProperty.call(container, normalizedKey)) return null;
		return container[normalizedKey];
	}
});
var setTag = defineMappingTag("tag:yaml.org,2002:set", {
	create: () => new Set(),
	identify: (data) => data instanceof Set,
	represent: (data) => {
		const map = new Map();
		for (const key of data) map.set(key, null);
		return map;
	},
	addPair: (container, key, value) => {
		if (value !== null) return "cannot resolve a set item";
		container.add(key);
		return "";
	},
	has: (container, key) => container.has(key),
	keys: (container) => container.keys(),
	get: () => null
});
function createTagDefinitionMap() {
	return {
		scalar: Object.create(null),
		sequence: Object.create(null),
		mapping: Object.create(null)
	};
}
function createTagDefinitionListMap() {
	return {
		scalar: [],
		sequence: [],
		mapping: []
	};
}
function compileTags(tags) {
	const result = [];
	for (const tag of tags) {
		let index = result.length;
		for (let previousIndex = 0; previousIndex < result.length; previousIndex++) {
			const previous = result[previousIndex];
			if (previous.nodeKind === tag.nodeKind && previous.tagName === tag.tagName && previous.matchByTagPrefix === tag.matchByTagPrefix) {
				index = previousIndex;
				break;
			}
		}
		result[index] = tag;
	}
	return result;
}
var Schema = class Schema {
	tags;
	implicitScalarTags;
	implicitScalarByFirstChar;
	implicitScalarAnyFirstChar;
	defaultScalarTag;
	defaultSequenceTag;
	defaultMappingTag;
	exact;
	prefix;
	constructor(tags) {
		const compiledTags = compileTags(tags);
		const implicitScalarTags = [];
		const exact = createTagDefinitionMap();
		const prefix = createTagDefinitionListMap();
		for (const tag of compiledTags) {
			if (tag.nodeKind === "scalar" && tag.implicit) {
				if (tag.matchByTagPrefix) throw new Error("Implicit scalar tags cannot match by tag prefix");
				implicitScalarTags.push(tag);
			}
			switch (tag.nodeKind) {
				case "scalar":
					if (tag.matchByTagPrefix) prefix.scalar.push(tag);
					else exact.scalar[tag.tagName] = tag;
					break;
				case "sequence":
					if (tag.matchByTagPrefix) prefix.sequence.push(tag);
					else exact.sequence[tag.tagName] = tag;
					break;
				case "mapping": if (tag.matchByTagPrefix) prefix.mapping.push(tag);
				else exact.mapping[tag.tagName] = tag;
			}
		}
		const implicitScalarAnyFirstChar = implicitScalarTags.filter((tag) => tag.implicitFirstChars === null);
		const keys = new Set();
		for (const tag of implicitScalarTags) if (tag.implicitFirstChars !== null) for (const key of tag.implicitFirstChars) keys.add(key);
		const implicitScalarByFirstChar = new Map();
		for (const key of keys) implicitScalarByFirstChar.set(key, implicitScalarTags.filter((tag) => tag.implicitFirstChars === null || tag.implicitFirstChars.indexOf(key) !== -1));
		const defaultScalarTag = exact.scalar["tag:yaml.org,2002:str"];
		if (!defaultScalarTag) throw new Error("schema does not define the default scalar tag (tag:yaml.org,2002:str)");
		this.tags = compiledTags;
		this.implicitScalarTags = implicitScalarTags;
		this.implicitScalarByFirstChar = implicitScalarByFirstChar;
		this.implicitScalarAnyFirstChar = implicitScalarAnyFirstChar;
		this.defaultScalarTag = defaultScalarTag;
		this.defaultSequenceTag = exact.sequence["tag:yaml.org,2002:seq"];
		this.defaultMappingTag = exact.mapping["tag:yaml.org,2002:map"];
		this.exact = exact;
		this.prefix = prefix;
	}
	lookupScalarTag(tagName) {
		const exactTag = this.exact.scalar[tagName];
		if (exactTag) return exactTag;
		for (const tag of this.prefix.scalar) if (tagName.startsWith(tag.tagName)) return tag;
	}
	lookupSequenceTag(tagName) {
		const exactTag = this.exact.sequence[tagName];
		if (exactTag) return exactTag;
		for (const tag of this.prefix.sequence) if (tagName.startsWith(tag.tagName)) return tag;
	}
	lookupMappingTag(tagName) {
		const exactTag = this.exact.mapping[tagName];
		if (exactTag) return exactTag;
		for (const tag of this.prefix.mapping) if (tagName.startsWith(tag.tagName)) return tag;
	}
	resolveImplicitScalarTag(source) {
		const candidates = this.implicitScalarByFirstChar.get(source.charAt(0)) ?? this.implicitScalarAnyFirstChar;
		for (const tag of candidates) {
			const value = tag.resolve(source, false, tag.tagName);
			if (value !== NOT_RESOLVED) return {
				value,
				tag
			};
		}
		const tag = this.defaultScalarTag;
		return {
			value: tag.resolve(source, false, tag.tagName),
			tag
		};
	}
	withTags(...tags) {
		let flatTags = [];
		for (const tag of tags) flatTags = flatTags.concat(tag);
		return new Schema([...this.tags, ...flatTags]);
	}
};
var FAILSAFE_SCHEMA = new Schema([
	strTag,
	seqTag,
	mapTag
]);
new Schema([
	...FAILSAFE_SCHEMA.tags,
	nullJsonTag,
	boolJsonTag,
	intJsonTag,
	floatJsonTag
]);
var CORE_SCHEMA = new Schema([
	...FAILSAFE_SCHEMA.tags,
	nullCoreTag,
	boolCoreTag,
	intCoreTag,
	floatCoreTag
]);
new Schema([
	...FAILSAFE_SCHEMA.tags,
	nullYaml11Tag,
	boolYaml11Tag,
	intYaml11Tag,
	floatYaml11Tag,
	timestampTag,
	mergeTag,
	binaryTag,
	omapTag,
	pairsTag,
	setTag
]).withTags({
	...intYaml11Tag,
	resolve: (source, isExplicit, tagName) => {
		const result = intYaml11Tag.resolve(source, isExplicit, tagName);
		return result === NOT_RESOLVED ? intCoreTag.resolve(source, isExplicit, tagName) : result;
	}
}, {
	...floatYaml11Tag,
	resolve: (source, isExplicit, tagName) => {
		const result = floatYaml11Tag.resolve(source, isExplicit, tagName);
		return result === NOT_RESOLVED ? floatCoreTag.resolve(source, isExplicit, tagName) : result;
	}
});
defineMappingTag("tag:yaml.org,2002:map", {
	create: () => new Map(),
	addPair: (container, key, value) => {
		container.set(key, value);
		return "";
	},
	has: (container, key) => container.has(key),
	keys: (container) => container.keys(),
	get: (container, key) => container.get(key),
	identify: (data) => data instanceof Map || isPlainObject(data),
	represent: (data) => {
		if (data instanceof Map) return data;
		const map = new Map();
		const obj = data;
		for (const key of Object.keys(obj)) map.set(key, obj[key]);
		return map;
	}
});
function normalizeKey(key) {
	if (Array.isArray(key)) {
		const array = Array.prototype.slice.call(key);
		for (let index = 0; index < array.length; index++) {
			if (Array.isArray(array[index])) return null;
			if (typeof array[index] === "object" && Object.prototype.toString.call(array[index]) === "[object Object]") array[index] = "[object Object]";
		}
		return String(array);
	}
	if (typeof key === "object" && Object.prototype.toString.call(key) === "[object Object]") return "[object Object]";
	return String(key);
}
defineMappingTag("tag:yaml.org,2002:map", {
	create: () => ({}),
	identify: isPlainObject,
	represent: (o) => {
		const map = new Map();
		for (const key of Object.keys(o)) map.set(key, o[key]);
		return map;
	},
	addPair: (container, key, value) => {
		const normalizedKey = normalizeKey(key);
		if (normalizedKey === null) return "nested arrays are not supported inside keys";
		if (normalizedKey === "__proto__") Object.defineProperty(container, normalizedKey, {
			value,
			enumerable: true,
			configurable: true,
			writable: true
		});
		else container[normalizedKey] = value;
		return "";
	},
	has: (container, key) => {
		const normalizedKey = normalizeKey(key);
		return normalizedKey !== null && Object.prototype.hasOwnProperty.call(container, normalizedKey);
	},
	keys: (container) => Object.keys(container),
	get: (container, key) => {
		const normalizedKey = String(key);
		if (!Object.prototype.hasOwnProperty.call(container, normalizedKey)) return null;
		return container[normalizedKey];
	}
});
var DEFAULT_SNIPPET_OPTIONS = {
	maxLength: 79,
	indent: 1,
	linesBefore: 3,
	linesAfter: 2
};
function getLine(buffer, lineStart, lineEnd, position, maxLineLength) {
	let head = "";
	let tail = "";
	const maxHalfLength = Math.floor(maxLineLength / 2) - 1;
	if (position - lineStart > maxHalfLength) {
		head = " ... ";
		lineStart = position - maxHalfLength + head.length;
	}
	if (lineEnd - position > maxHalfLength) {
		tail = " ...";
		lineEnd = position + maxHalfLength - tail.length;
	}
	return {
		str: head + buffer.slice(lineStart, lineEnd).replace(/\t/g, "→") + tail,
		pos: position - lineStart + head.length
	};
}
function padStart(string, max) {
	return " ".repeat(Math.max(max - string.length, 0)) + string;
}
function makeSnippet(mark, options) {
	if (!mark.buffer) return null;
	const opts = {
		...DEFAULT_SNIPPET_OPTIONS,
		...options
	};
	const re = /\r?\n|\r|\0/g;
	const lineStarts = [0];
	const lineEnds = [];
	let match;
	let foundLineNo = -1;
	while (match = re.exec(mark.buffer)) {
		lineEnds.push(match.index);
		lineStarts.push(match.index + match[0].length);
		if (mark.position <= match.index && foundLineNo < 0) foundLineNo = lineStarts.length - 2;
	}
	if (foundLineNo < 0) foundLineNo = lineStarts.length - 1;
	let result = "";
	const lineNoLength = Math.min(mark.line + opts.linesAfter, lineEnds.length).toString().length;
	const maxLineLength = opts.maxLength - (opts.indent + lineNoLength + 3);
	for (let i = 1; i <= opts.linesBefore; i++) {
		if (foundLineNo - i < 0) break;
		const line = getLine(mark.buffer, lineStarts[foundLineNo - i], lineEnds[foundLineNo - i], mark.position - (lineStarts[foundLineNo] - lineStarts[foundLineNo - i]), maxLineLength);
		result = `${" ".repeat(opts.indent)}${padStart((mark.line - i + 1).toString(), lineNoLength)} | ${line.str}\n${result}`;
	}
	const line = getLine(mark.buffer, lineStarts[foundLineNo], lineEnds[foundLineNo], mark.position, maxLineLength);
	result += `${" ".repeat(opts.indent)}${padStart((mark.line + 1).toString(), lineNoLength)} | ${line.str}\n`;
	result += `${"-".repeat(opts.indent + lineNoLength + 3 + line.pos)}^\n`;
	for (let i = 1; i <= opts.linesAfter; i++) {
		if (foundLineNo + i >= lineEnds.length) break;
		const line = getLine(mark.buffer, lineStarts[foundLineNo + i], lineEnds[foundLineNo + i], mark.position - (lineStarts[foundLineNo] - lineStarts[foundLineNo + i]), maxLineLength);
		result += `${" ".repeat(opts.indent)}${padStart((mark.line + i + 1).toString(), lineNoLength)} | ${line.str}\n`;
	}
	return result.replace(/\n$/, "");
}
function formatError(exception, compact) {
	let where = "";
	if (!exception.mark) return exception.reason;
	if (exception.mark.name) where += `in "${exception.mark.name}" `;
	where += `(${exception.mark.line + 1}:${exception.mark.column + 1})`;
	if (!compact && exception.mark.snippet) where += `\n\n${exception.mark.snippet}`;
	return `${exception.reason} ${where}`;
}
var YAMLException = class YAMLException extends Error {
	reason;
	mark;
	constructor(reason, mark) {
		super();
		this.name = "YAMLException";
		this.reason = reason;
		this.mark = mark;
		this.message = formatError(this, false);
		if (Error.captureStackTrace) Error.captureStackTrace(this, this.constructor);
	}
	toString(compact) {
		return `${this.name}: ${formatError(this, compact)}`;
	}
	static throwAt(source, position, message, filename = "") {
		let line = 0;
		let lineStart = 0;
		for (let index = 0; index < position; index++) {
			const ch = source.charCodeAt(index);
			if (ch === 10) {
				line++;
				lineStart = index + 1;
			} else if (ch === 13) {
				line++;
				if (source.charCodeAt(index + 1) === 10) index++;
				lineStart = index + 1;
			}
		}
		const mark = {
			name: filename,
			buffer: source,
			position,
			line,
			column: position - lineStart
		};
		mark.snippet = makeSnippet(mark);
		throw new YAMLException(message, mark);
	}
};
var EVENT_ID = {
	DOCUMENT: 1,
	SEQUENCE: 2,
	MAPPING: 3,
	SCALAR: 4,
	ALIAS: 5,
	POP: 6
};
var SCALAR_STYLE = {
	PLAIN: 1,
	SINGLE_QUOTED: 2,
	DOUBLE_QUOTED: 3,
	LITERAL_BLOCK: 4,
	FOLDED_BLOCK: 5
};
var COLLECTION_STYLE = {
	BLOCK: 1,
	FLOW: 2
};
var CHOMPING_MODE = {
	CLIP: 1,
	STRIP: 2,
	KEEP: 3
};
var NO_RANGE$3 = -1;
function simpleEscapeSequence(c) {
	switch (c) {
		case 48: return "\0";
		case 97: return "\x07";
		case 98: return "\b";
		case 116: return "	";
		case 9: return "	";
		case 110: return "\n";
		case 118: return "\v";
		case 102: return "\f";
		case 114: return "\r";
		case 101: return "\x1B";
		case 32: return " ";
		case 34: return "\"";
		case 47: return "/";
		case 92: return "\\";
		case 78: return "";
		case 95: return "\xA0";
		case 76: return "\u2028";
		case 80: return "\u2029";
		default: return "";
	}
}
var simpleEscapeCheck = new Array(256);
var simpleEscapeMap = new Array(256);
for (let i = 0; i < 256; i++) {
	simpleEscapeCheck[i] = simpleEscapeSequence(i) ? 1 : 0;
	simpleEscapeMap[i] = simpleEscapeSequence(i);
}
function charFromCodepoint(c) {
	if (c <= 65535) return String.fromCharCode(c);
	return String.fromCharCode((c - 65536 >> 10) + 55296, (c - 65536 & 1023) + 56320);
}
function fromHexCode$1(c) {
	if (c >= 48 && c <= 57) return c - 48;
	return (c | 32) - 97 + 10;
}
function escapedHexLen$1(c) {
	if (c === 120) return 2;
	if (c === 117) return 4;
	return 8;
}
function skipFoldedBreaks(input, position, end) {
	let breaks = 0;
	while (position < end) {
		const ch = input.charCodeAt(position);
		if (ch === 10) {
			breaks++;
			position++;
		} else if (ch === 13) {
			breaks++;
			position++;
			if (input.charCodeAt(position) === 10) position++;
		} else if (ch === 32 || ch === 9) position++;
		else break;
	}
	return {
		position,
		breaks
	};
}
function foldedBreaks(count) {
	if (count === 1) return " ";
	return "\n".repeat(count - 1);
}
function getPlainValue(input, start, end) {
	let result = "";
	let position = start;
	let captureStart = start;
	let captureEnd = start;
	while (position < end) {
		const ch = input.charCodeAt(position);
		if (ch === 10 || ch === 13) {
			result += input.slice(captureStart, captureEnd);
			const fold = skipFoldedBreaks(input, position, end);
			result += foldedBreaks(fold.breaks);
			position = captureStart = captureEnd = fold.position;
		} else {
			position++;
			if (ch !== 32 && ch !== 9) captureEnd = position;
		}
	}
	return result + input.slice(captureStart, captureEnd);
}
function getSingleQuotedValue(input, start, end) {
	let result = "";
	let position = start;
	let captureStart = start;
	let captureEnd = start;
	while (position < end) {
		const ch = input.charCodeAt(position);
		if (ch === 39) {
			result += input.slice(captureStart, position) + "'";
			position += 2;
			captureStart = captureEnd = position;
		} else if (ch === 10 || ch === 13) {
			result += input.slice(captureStart, captureEnd);
			const fold = skipFoldedBreaks(input, position, end);
			result += foldedBreaks(fold.breaks);
			position = captureStart = captureEnd = fold.position;
		} else {
			position++;
			if (ch !== 32 && ch !== 9) captureEnd = position;
		}
	}
	return result + input.slice(captureStart, end);
}
function getDoubleQuotedValue(input, start, end) {
	let result = "";
	let position = start;
	let captureStart = start;
	let captureEnd = start;
	while (position < end) {
		const ch = input.charCodeAt(position);
		if (ch === 92) {
			result += input.slice(captureStart, position);
			position++;
			const escaped = input.charCodeAt(position);
			if (escaped === 10 || escaped === 13) position = skipFoldedBreaks(input, position, end).position;
			else if (escaped < 256 && simpleEscapeCheck[escaped]) {
				result += simpleEscapeMap[escaped];
				position++;
			} else {
				let hexLength = escapedHexLen$1(escaped);
				let hexResult = 0;
				for (; hexLength > 0; hexLength--) {
					position++;
					const digit = fromHexCode$1(input.charCodeAt(position));
					hexResult = (hexResult << 4) + digit;
				}
				result += charFromCodepoint(hexResult);
				position++;
			}
			captureStart = captureEnd = position;
		} else if (ch === 10 || ch === 13) {
			result += input.slice(captureStart, captureEnd);
			const fold = skipFoldedBreaks(input, position, end);
			result += foldedBreaks(fold.breaks);
			position = captureStart = captureEnd = fold.position;
		} else {
			position++;
			if (ch !== 32 && ch !== 9) captureEnd = position;
		}
	}
	return result + input.slice(captureStart, end);
}
function getBlockValue(input, start, end, indent, chomping, folded) {
	const textIndent = indent < 0 ? 0 : indent;
	const region = input.slice(start, end).replace(/\r\n?/g, "\n");
	const lines = region === "" ? [] : (region.endsWith("\n") ? region.slice(0, -1) : region).split("\n");
	let result = "";
	let didReadContent = false;
	let emptyLines = 0;
	let atMoreIndented = false;
	for (const line of lines) {
		let column = 0;
		while (column < textIndent && line.charCodeAt(column) === 32) column++;
		if (indent < 0 || column >= line.length) {
			emptyLines++;
			continue;
		}
		const content = line.slice(textIndent);
		const first = content.charCodeAt(0);
		if (folded) {
			if (first === 32 || first === 9) {
				atMoreIndented = true;
				result += "\n".repeat(didReadContent ? 1 + emptyLines : emptyLines);
			} else if (atMoreIndented) {
				atMoreIndented = false;
				result += "\n".repeat(emptyLines + 1);
			} else if (emptyLines === 0) {
				if (didReadContent) result += " ";
			} else result += "\n".repeat(emptyLines);
		} else result += "\n".repeat(didReadContent ? 1 + emptyLines : emptyLines);
		result += content;
		didReadContent = true;
		emptyLines = 0;
	}
	if (chomping === CHOMPING_MODE.KEEP) result += "\n".repeat(didReadContent ? 1 + emptyLines : emptyLines);
	else if (chomping !== CHOMPING_MODE.STRIP) {
		if (didReadContent) result += "\n";
	}
	return result;
}
function getScalarValue(input, scalar) {
	if (scalar.valueStart === NO_RANGE$3) return "";
	const { valueStart, valueEnd } = scalar;
	if (scalar.fast) return input.slice(valueStart, valueEnd);
	switch (scalar.style) {
		case SCALAR_STYLE.SINGLE_QUOTED: return getSingleQuotedValue(input, valueStart, valueEnd);
		case SCALAR_STYLE.DOUBLE_QUOTED: return getDoubleQuotedValue(input, valueStart, valueEnd);
		case SCALAR_STYLE.LITERAL_BLOCK: return getBlockValue(input, valueStart, valueEnd, scalar.indent, scalar.chomping, false);
		case SCALAR_STYLE.FOLDED_BLOCK: return getBlockValue(input, valueStart, valueEnd, scalar.indent, scalar.chomping, true);
		default: return getPlainValue(input, valueStart, valueEnd);
	}
}
var DEFAULT_TAG_HANDLERS = Object.assign(Object.create(null), {
	"!": "!",
	"!!": "tag:yaml.org,2002:"
});
function tagPercentDecode(source) {
	let result = "";
	let index = 0;
	while (index < source.length) {
		if (source.charCodeAt(index) !== 37) {
			result += source[index++];
			continue;
		}
		let ch = parseInt(source.slice(index + 1, index + 3), 16);
		index += 3;
		if (ch >= 192) {
			let remaining = ch < 224 ? 1 : ch < 240 ? 2 : 3;
			ch &= (1 << 6 - remaining) - 1;
			while (remaining-- > 0) {
				ch = ch << 6 | parseInt(source.slice(index + 1, index + 3), 16) & 63;
				index += 3;
			}
		}
		if (ch < 65536) result += String.fromCharCode(ch);
		else {
			ch -= 65536;
			result += String.fromCharCode(55296 | ch >> 10, 56320 | ch & 1023);
		}
	}
	return result;
}
function tagNameFull(rawTag, tagHandlers) {
	if (rawTag.startsWith("!<") && rawTag.endsWith(">")) return tagPercentDecode(rawTag.slice(2, -1));
	const handleEnd = rawTag.indexOf("!", 1);
	const handle = handleEnd === -1 ? "!" : rawTag.slice(0, handleEnd + 1);
	return tagPercentDecode(tagHandlers?.[handle] ?? DEFAULT_TAG_HANDLERS[handle] ?? handle) + tagPercentDecode(rawTag.slice(handle.length));
}
var NO_RANGE$2 = -1;
var MERGE_TAG_NAME = "tag:yaml.org,2002:merge";
var DEFAULT_CONSTRUCTOR_OPTIONS = {
	filename: "",
	schema: CORE_SCHEMA,
	json: false,
	maxTotalMergeKeys: 1e4,
	maxAliases: -1
};
function eventPosition$1(event) {
	if ("tagStart" in event && event.tagStart !== NO_RANGE$2) return event.tagStart;
	if ("anchorStart" in event && event.anchorStart !== NO_RANGE$2) return event.anchorStart;
	if ("valueStart" in event && event.valueStart !== NO_RANGE$2) return event.valueStart;
	if ("start" in event) return event.start;
	return 0;
}
function throwError$1(state, message) {
	YAMLException.throwAt(state.source, state.position, message, state.filename);
}
function finalizeCollection(state, position, tag, carrier) {
	try {
		return tag.finalize(carrier);
	} catch (error) {
		if (error instanceof YAMLException) throw error;
		YAMLException.throwAt(state.source, position, error instanceof Error ? error.message : String(error), state.filename);
	}
}
function constructScalar(state, event) {
	const source = getScalarValue(state.source, event);
	const rawTag = event.tagStart === NO_RANGE$2 ? "" : state.source.slice(event.tagStart, event.tagEnd);
	const strTag = state.schema.defaultScalarTag;
	if (rawTag !== "") {
		if (rawTag === "!") return {
			value: source,
			tag: strTag
		};
		const tagName = tagNameFull(rawTag, state.tagHandlers);
		const scalarTag = state.schema.lookupScalarTag(tagName);
		if (scalarTag) {
			const result = scalarTag.resolve(source, true, tagName);
			if (result === NOT_RESOLVED) throwError$1(state, `cannot resolve a node with !<${tagName}> explicit tag`);
			return {
				value: result,
				tag: scalarTag
			};
		}
		const collectionTagDef = state.schema.lookupMappingTag(tagName) ?? state.schema.lookupSequenceTag(tagName);
		if (collectionTagDef) {
			if (source !== "") throwError$1(state, `cannot resolve a node with !<${tagName}> explicit tag`);
			const carrier = collectionTagDef.create(tagName);
			return {
				value: collectionTagDef.carrierIsResult ? carrier : finalizeCollection(state, state.position, collectionTagDef, carrier),
				tag: collectionTagDef
			};
		}
		throwError$1(state, `unknown scalar tag !<${tagName}>`);
	}
	if (event.style === SCALAR_STYLE.PLAIN) return state.schema.resolveImplicitScalarTag(source);
	return {
		value: strTag.resolve(source, false, strTag.tagName),
		tag: strTag
	};
}
function collectionTagName(state, event, defaultTagName) {
	const rawTag = event.tagStart === NO_RANGE$2 ? "" : state.source.slice(event.tagStart, event.tagEnd);
	return rawTag === "" || rawTag === "!" ? defaultTagName : tagNameFull(rawTag, state.tagHandlers);
}
function isMappingTag(tag) {
	return tag.nodeKind === "mapping";
}
function chargeMergeWork(state) {
	state.totalMergeKeys++;
	if (state.maxTotalMergeKeys !== -1 && state.totalMergeKeys > state.maxTotalMergeKeys) throwError$1(state, `merge keys exceeded maxTotalMergeKeys (${state.maxTotalMergeKeys})`);
}
function mergeKeys(state, frame, source, sourceTag) {
	chargeMergeWork(state);
	for (const sourceKey of sourceTag.keys(source)) {
		chargeMergeWork(state);
		if (frame.tag.has(frame.value, sourceKey)) continue;
		const err = frame.tag.addPair(frame.value, sourceKey, sourceTag.get(source, sourceKey));
		if (err) throwError$1(state, err);
		frame.overridable ??= new Set();
		frame.overridable.add(sourceKey);
	}
}
function mergeSource(state, frame, source, sourceTag) {
	state.position = frame.keyPosition;
	if (isMappingTag(sourceTag)) mergeKeys(state, frame, source, sourceTag);
	else if (sourceTag.nodeKind === "sequence" && Array.isArray(source)) {
		if (source.length > 100) throwError$1(state, "abnormal merge sequence size");
		for (const element of source) {
			const elementTag = state.nodeTags.get(element);
			if (!elementTag) throwError$1(state, "cannot merge mappings; the provided source object is unacceptable");
			mergeKeys(state, frame, element, elementTag);
		}
	} else throwError$1(state, "cannot merge mappings; the provided source object is unacceptable");
}
function addMappingValue(state, frame, key, value, tag) {
	state.position = frame.keyPosition;
	if (frame.keyIsMerge) {
		mergeSource(state, frame, value, tag);
		return;
	}
	if (!state.json && frame.tag.has(frame.value, key) && !frame.overridable?.has(key)) throwError$1(state, "duplicated mapping key");
	const err = frame.tag.addPair(frame.value, key, value);
	if (err) throwError$1(state, err);
	frame.overridable?.delete(key);
}
function addValue(state, value, tag) {
	const frame = state.frames[state.frames.length - 1];
	if (frame.kind === "document") {
		frame.value = value;
		frame.hasValue = true;
	} else if (frame.kind === "sequence") {
		if (isMappingTag(tag)) state.nodeTags.set(value, tag);
		const err = frame.tag.addItem(frame.value, value, frame.index++);
		if (err) throwError$1(state, err);
	} else if (frame.hasKey) {
		const key = frame.key;
		frame.key = void 0;
		frame.hasKey = false;
		addMappingValue(state, frame, key, value, tag);
	} else {
		frame.key = value;
		frame.keyPosition = state.position;
		frame.hasKey = true;
		frame.keyIsMerge = tag.tagName === MERGE_TAG_NAME;
	}
}
function storeAnchor(state, event, value, tag, isValueFinal) {
	if (event.anchorStart !== NO_RANGE$2) {
		const anchor = {
			value,
			tag,
			isValueFinal
		};
		state.anchors.set(state.source.slice(event.anchorStart, event.anchorEnd), anchor);
		return anchor;
	}
	return null;
}
function constructFromEvents(events, options) {
	const state = {
		...DEFAULT_CONSTRUCTOR_OPTIONS,
		...options,
		events,
		documents: [],
		eventIndex: 0,
		position: 0,
		frames: [],
		anchors: new Map(),
		nodeTags: new Map(),
		tagHandlers: Object.create(null),
		totalMergeKeys: 0,
		aliasCount: 0
	};
	while (state.eventIndex < state.events.length) {
		const event = state.events[state.eventIndex++];
		state.position = eventPosition$1(event);
		switch (event.type) {
			case EVENT_ID.DOCUMENT:
				state.anchors = new Map();
				state.nodeTags = new Map();
				state.aliasCount = 0;
				state.tagHandlers = Object.create(null);
				for (const directive of event.directives) if (directive.kind === "tag") state.tagHandlers[directive.handle] = directive.prefix;
				state.frames.push({
					kind: "document",
					position: state.position,
					value: void 0,
					hasValue: false
				});
				break;
			case EVENT_ID.SCALAR: {
				const { value, tag } = constructScalar(state, event);
				storeAnchor(state, event, value, tag, true);
				addValue(state, value, tag);
				break;
			}
			case EVENT_ID.SEQUENCE: {
				const tagName = collectionTagName(state, event, "tag:yaml.org,2002:seq");
				const tag = state.schema.lookupSequenceTag(tagName);
				if (!tag) throwError$1(state, `unknown sequence tag !<${tagName}>`);
				const value = tag.create(tagName);
				const anchor = storeAnchor(state, event, value, tag, tag.carrierIsResult);
				state.frames.push({
					kind: "sequence",
					position: state.position,
					value,
					tag,
					anchor,
					index: 0
				});
				break;
			}
			case EVENT_ID.MAPPING: {
				const tagName = collectionTagName(state, event, "tag:yaml.org,2002:map");
				const tag = state.schema.lookupMappingTag(tagName);
				if (!tag) throwError$1(state, `unknown mapping tag !<${tagName}>`);
				const value = tag.create(tagName);
				const anchor = storeAnchor(state, event, value, tag, tag.carrierIsResult);
				state.frames.push({
					kind: "mapping",
					position: state.position,
					value,
					tag,
					anchor,
					key: void 0,
					keyPosition: state.position,
					hasKey: false,
					keyIsMerge: false,
					overridable: null
				});
				break;
			}
			case EVENT_ID.ALIAS: {
				if (state.maxAliases !== -1 && ++state.aliasCount > state.maxAliases) throwError$1(state, `aliases exceeded maxAliases (${state.maxAliases})`);
				const name = state.source.slice(event.anchorStart, event.anchorEnd);
				const anchor = state.anchors.get(name);
				if (!anchor) throwError$1(state, `unidentified alias "${name}"`);
				if (!anchor.isValueFinal) throwError$1(state, `recursive alias "${name}" is not supported for tag ${anchor.tag.tagName} because it uses finalize()`);
				addValue(state, anchor.value, anchor.tag);
				break;
			}
			case EVENT_ID.POP: {
				const frame = state.frames.pop();
				if (frame.kind === "mapping" && frame.hasKey) {
					state.position = frame.keyPosition;
					throwError$1(state, "incomplete mapping pair in event stream");
				}
				if (frame.kind === "document") state.documents.push(frame.value);
				else {
					const value = frame.tag.carrierIsResult ? frame.value : finalizeCollection(state, frame.position, frame.tag, frame.value);
					if (frame.anchor) {
						frame.anchor.value = value;
						frame.anchor.isValueFinal = true;
					}
					addValue(state, value, frame.tag);
				}
				break;
			}
		}
	}
	return state.documents;
}
var NO_RANGE$1 = -1;
var HAS_OWN = Object.prototype.hasOwnProperty;
var CONTEXT_FLOW_IN = 1;
var CONTEXT_FLOW_OUT = 2;
var CONTEXT_BLOCK_IN = 3;
var CONTEXT_BLOCK_OUT = 4;
var PATTERN_NON_PRINTABLE = /[\x00-\x08\x0B\x0C\x0E-\x1F\x7F-\x84\x86-\x9F\uFFFE\uFFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?:[^\uD800-\uDBFF]|^)[\uDC00-\uDFFF]/;
var PATTERN_FLOW_INDICATORS = /[,\[\]{}]/;
var PATTERN_TAG_HANDLE = /^(?:!|!!|![0-9A-Za-z-]+!)$/;
var NS_URI_CHAR = String.raw`(?:%[0-9A-Fa-f]{2}|[0-9A-Za-z\-#;/?:@&=+$,_.!~*'()\[\]])`;
var NS_TAG_CHAR = String.raw`(?:%[0-9A-Fa-f]{2}|[0-9A-Za-z\-#;/?:@&=+$.~*'()_])`;
var PATTERN_TAG_URI = new RegExp(`^(?:${NS_URI_CHAR})*$`);
var PATTERN_TAG_SUFFIX = new RegExp(`^(?:${NS_TAG_CHAR})+$`);
var PATTERN_TAG_PREFIX = new RegExp(`^(?:!(?:${NS_URI_CHAR})*|${NS_TAG_CHAR}(?:${NS_URI_CHAR})*)$`);
var DEFAULT_PARSER_OPTIONS = {
	filename: "",
	maxDepth: 100
};
function addDocumentEvent(state, explicitStart, explicitEnd) {
	state.events.push({
		type: EVENT_ID.DOCUMENT,
		explicitStart,
		explicitEnd,
		directives: state.directives
	});
}
function addSequenceEvent(state, start, anchorStart, anchorEnd, tagStart, tagEnd, style) {
	state.events.push({
		type: EVENT_ID.SEQUENCE,
		start,
		anchorStart,
		anchorEnd,
		tagStart,
		tagEnd,
		style
	});
}
function addMappingEvent(state, start, anchorStart, anchorEnd, tagStart, tagEnd, style) {
	state.events.push({
		type: EVENT_ID.MAPPING,
		start,
		anchorStart,
		anchorEnd,
		tagStart,
		tagEnd,
		style
	});
}
function insertFlowPairMappingEvent(state, snapshot) {
	state.events.splice(snapshot.eventsLength, 0, {
		type: EVENT_ID.MAPPING,
		start: snapshot.position,
		anchorStart: NO_RANGE$1,
		anchorEnd: NO_RANGE$1,
		tagStart: NO_RANGE$1,
		tagEnd: NO_RANGE$1,
		style: COLLECTION_STYLE.FLOW
	});
}
function addScalarEvent(state, valueStart, valueEnd, anchorStart, anchorEnd, tagStart, tagEnd, style, chomping = CHOMPING_MODE.CLIP, indent = -1, fast = false) {
	state.events.push({
		type: EVENT_ID.SCALAR,
		valueStart,
		valueEnd,
		anchorStart,
		anchorEnd,
		tagStart,
		tagEnd,
		style,
		chomping,
		indent,
		fast
	});
}
function addAliasEvent(state, anchorStart, anchorEnd) {
	state.events.push({
		type: EVENT_ID.ALIAS,
		anchorStart,
		anchorEnd
	});
}
function addPopEvent(state) {
	state.events.push({ type: EVENT_ID.POP });
}
function addEmptyScalarEvent(state) {
	addScalarEvent(state, NO_RANGE$1, NO_RANGE$1, NO_RANGE$1, NO_RANGE$1, NO_RANGE$1, NO_RANGE$1, SCALAR_STYLE.PLAIN);
}
function emptyProperties() {
	return {
		anchorStart: NO_RANGE$1,
		anchorEnd: NO_RANGE$1,
		tagStart: NO_RANGE$1,
		tagEnd: NO_RANGE$1
	};
}
function snapshotState(state) {
	return {
		position: state.position,
		line: state.line,
		lineStart: state.lineStart,
		lineIndent: state.lineIndent,
		firstTabInLine: state.firstTabInLine,
		eventsLength: state.events.length
	};
}
function restoreState(state, snapshot) {
	state.position = snapshot.position;
	state.line = snapshot.line;
	state.lineStart = snapshot.lineStart;
	state.lineIndent = snapshot.lineIndent;
	state.firstTabInLine = snapshot.firstTabInLine;
	state.events.length = snapshot.eventsLength;
}
function throwError(state, message) {
	YAMLException.throwAt(state.input.slice(0, state.length), state.position, message, state.filename);
}
function isEol(c) {
	return c === 10 || c === 13;
}
function isWhiteSpace$1(c) {
	return c === 9 || c === 32;
}
function isWsOrEol(c) {
	return isWhiteSpace$1(c) || isEol(c);
}
function isWsOrEolOrEnd(c) {
	return c === 0 || isWsOrEol(c);
}
function isFlowIndicator(c) {
	return c === 44 || c === 91 || c === 93 || c === 123 || c === 125;
}
function fromDecimalCode(c) {
	return c >= 48 && c <= 57 ? c - 48 : -1;
}
function fromHexCode(c) {
	if (c >= 48 && c <= 57) return c - 48;
	const lc = c | 32;
	if (lc >= 97 && lc <= 102) return lc - 97 + 10;
	return -1;
}
function escapedHexLen(c) {
	if (c === 120) return 2;
	if (c === 117) return 4;
	if (c === 85) return 8;
	return 0;
}
function isSimpleEscape(c) {
	return c === 48 || c === 97 || c === 98 || c === 116 || c === 9 || c === 110 || c === 118 || c === 102 || c === 114 || c === 101 || c === 32 || c === 34 || c === 47 || c === 92 || c === 78 || c === 95 || c === 76 || c === 80;
}
function consumeLineBreak(state) {
	if (state.input.charCodeAt(state.position) === 10) state.position++;
	else {
		state.position++;
		if (state.input.charCodeAt(state.position) === 10) state.position++;
	}
	state.line++;
	state.lineStart = state.position;
	state.lineIndent = 0;
	state.firstTabInLine = -1;
}
function skipSeparationSpace(state, allowComments) {
	let lineBreaks = 0;
	let ch = state.input.charCodeAt(state.position);
	let hasSeparation = state.position === state.lineStart || isWsOrEol(state.input.charCodeAt(state.position - 1));
	while (ch !== 0) {
		while (isWhiteSpace$1(ch)) {
			hasSeparation = true;
			if (ch === 9 && state.firstTabInLine === -1) state.firstTabInLine = state.position;
			ch = state.input.charCodeAt(++state.position);
		}
		if (allowComments && hasSeparation && ch === 35) do
			ch = state.input.charCodeAt(++state.position);
		while (!isEol(ch) && ch !== 0);
		if (!isEol(ch)) break;
		consumeLineBreak(state);
		lineBreaks++;
		hasSeparation = true;
		ch = state.input.charCodeAt(state.position);
		while (ch === 32) {
			state.lineIndent++;
			ch = state.input.charCodeAt(++state.position);
		}
	}
	return lineBreaks;
}
function testDocumentSeparator(state, position = state.position) {
	const ch = state.input.charCodeAt(position);
	if ((ch === 45 || ch === 46) && ch === state.input.charCodeAt(position + 1) && ch === state.input.charCodeAt(position + 2)) {
		const following = state.input.charCodeAt(position + 3);
		return following === 0 || isWsOrEol(following);
	}
	return false;
}
function skipByteOrderMark(state) {
	if (state.position === state.lineStart && state.input.charCodeAt(state.position) === 65279) {
		state.position++;
		state.lineStart = state.position;
	}
}
function testDocumentBoundary(state) {
	if (state.position !== state.lineStart) return false;
	if (testDocumentSeparator(state)) return true;
	if (state.input.charCodeAt(state.position) !== 65279) return false;
	const snapshot = snapshotState(state);
	skipByteOrderMark(state);
	skipSeparationSpace(state, true);
	const ch = state.input.charCodeAt(state.position);
	const result = state.position === state.lineStart && (ch === 37 || ch === 45 && testDocumentSeparator(state));
	restoreState(state, snapshot);
	return result;
}
function skipUntilLineEnd(state) {
	let ch = state.input.charCodeAt(state.position);
	while (ch !== 0 && !isEol(ch)) ch = state.input.charCodeAt(++state.position);
}
function checkPrintable(state, start, end) {
	const match = PATTERN_NON_PRINTABLE.exec(state.input.slice(start, end));
	if (match !== null) {
		state.position = start + match.index + match[0].length - 1;
		throwError(state, "the stream contains non-printable characters");
	}
}
function readTagProperty(state, props, inFlow) {
	if (state.input.charCodeAt(state.position) !== 33) return false;
	if (props.tagStart !== NO_RANGE$1) throwError(state, "duplication of a tag property");
	const start = state.position;
	let isVerbatim = false;
	let isNamed = false;
	let tagHandle = "!";
	let ch = state.input.charCodeAt(++state.position);
	if (ch === 60) {
		isVerbatim = true;
		ch = state.input.charCodeAt(++state.position);
	} else if (ch === 33) {
		isNamed = true;
		tagHandle = "!!";
		ch = state.input.charCodeAt(++state.position);
	}
	let suffixStart = state.position;
	let tagName;
	if (isVerbatim) {
		while (ch !== 0 && ch !== 62) ch = state.input.charCodeAt(++state.position);
		if (ch !== 62) throwError(state, "unexpected end of the stream within a verbatim tag");
		tagName = state.input.slice(suffixStart, state.position);
		state.position++;
	} else {
		while (ch !== 0 && !isWsOrEol(ch) && !(inFlow && isFlowIndicator(ch))) {
			if (ch === 33) {
				if (!isNamed) {
					tagHandle = state.input.slice(suffixStart - 1, state.position + 1);
					if (!PATTERN_TAG_HANDLE.test(tagHandle)) throwError(state, "named tag handle cannot contain such characters");
					isNamed = true;
					suffixStart = state.position + 1;
				} else throwError(state, "tag suffix cannot contain exclamation marks");
			}
			ch = state.input.charCodeAt(++state.position);
		}
		tagName = state.input.slice(suffixStart, state.position);
		if (PATTERN_FLOW_INDICATORS.test(tagName)) throwError(state, "tag suffix cannot contain flow indicator characters");
	}
	if (tagName && !(isVerbatim ? PATTERN_TAG_URI.test(tagName) : PATTERN_TAG_SUFFIX.test(tagName))) throwError(state, `tag name cannot contain such characters: ${tagName}`);
	if (!isVerbatim && tagHandle !== "!" && tagHandle !== "!!" && !HAS_OWN.call(state.tagHandlers, tagHandle)) throwError(state, `undeclared tag handle "${tagHandle}"`);
	props.tagStart = start;
	props.tagEnd = state.position;
	return true;
}
function readAnchorProperty(state, props) {
	if (state.input.charCodeAt(state.position) !== 38) return false;
	if (props.anchorStart !== NO_RANGE$1) throwError(state, "duplication of an anchor property");
	state.position++;
	const start = state.position;
	while (state.input.charCodeAt(state.position) !== 0 && !isWsOrEol(state.input.charCodeAt(state.position)) && !isFlowIndicator(state.input.charCodeAt(state.position))) state.position++;
	if (state.position === start) throwError(state, "name of an anchor node must contain at least one character");
	props.anchorStart = start;
	props.anchorEnd = state.position;
	return true;
}
function readAlias(state, props) {
	if (state.input.charCodeAt(state.position) !== 42) return false;
	if (props.anchorStart !== NO_RANGE$1 || props.tagStart !== NO_RANGE$1) throwError(state, "alias node should not have any properties");
	state.position++;
	const start = state.position;
	while (state.input.charCodeAt(state.position) !== 0 && !isWsOrEol(state.input.charCodeAt(state.position)) && !isFlowIndicator(state.input.charCodeAt(state.position))) state.position++;
	if (state.position === start) throwError(state, "name of an alias node must contain at least one character");
	addAliasEvent(state, start, state.position);
	return true;
}
function readFlowScalarBreak(state, nodeIndent) {
	skipSeparationSpace(state, false);
	if (state.lineIndent < nodeIndent) throwError(state, "deficient indentation");
}
function readSingleQuotedScalar(state, nodeIndent, props) {
	if (state.input.charCodeAt(state.position) !== 39) return false;
	state.position++;
	const start = state.position;
	let simple = true;
	while (state.input.charCodeAt(state.position) !== 0) {
		const ch = state.input.charCodeAt(state.position);
		if (ch === 39) {
			if (state.input.charCodeAt(state.position + 1) === 39) {
				simple = false;
				state.position += 2;
				continue;
			}
			const end = state.position;
			state.position++;
			addScalarEvent(state, start, end, props.anchorStart, props.anchorEnd, props.tagStart, props.tagEnd, SCALAR_STYLE.SINGLE_QUOTED, CHOMPING_MODE.CLIP, -1, simple);
			return true;
		}
		if (isEol(ch)) {
			simple = false;
			readFlowScalarBreak(state, nodeIndent);
		} else if (state.position === state.lineStart && testDocumentSeparator(state)) throwError(state, "unexpected end of the document within a single quoted scalar");
		else if (ch !== 9 && ch < 32) throwError(state, "expected valid JSON character");
		else state.position++;
	}
	throwError(state, "unexpected end of the stream within a single quoted scalar");
}
function readDoubleQuotedScalar(state, nodeIndent, props) {
	if (state.input.charCodeAt(state.position) !== 34) return false;
	state.position++;
	const start = state.position;
	let simple = true;
	while (state.input.charCodeAt(state.position) !== 0) {
		const ch = state.input.charCodeAt(state.position);
		if (ch === 34) {
			const end = state.position;
			state.position++;
			addScalarEvent(state, start, end, props.anchorStart, props.anchorEnd, props.tagStart, props.tagEnd, SCALAR_STYLE.DOUBLE_QUOTED, CHOMPING_MODE.CLIP, -1, simple);
			return true;
		}
		if (ch === 92) {
			simple = false;
			const escaped = state.input.charCodeAt(++state.position);
			if (isEol(escaped)) readFlowScalarBreak(state, nodeIndent);
			else if (isSimpleEscape(escaped)) state.position++;
			else {
				let hexLength = escapedHexLen(escaped);
				if (hexLength === 0) throwError(state, "unknown escape sequence");
				while (hexLength-- > 0) {
					state.position++;
					if (fromHexCode(state.input.charCodeAt(state.position)) < 0) throwError(state, "expected hexadecimal character");
				}
				state.position++;
			}
		} else if (isEol(ch)) {
			simple = false;
			readFlowScalarBreak(state, nodeIndent);
		} else if (state.position === state.lineStart && testDocumentSeparator(state)) throwError(state, "unexpected end of the document within a double quoted scalar");
		else if (ch !== 9 && ch < 32) throwError(state, "expected valid JSON character");
		else state.position++;
	}
	throwError(state, "unexpected end of the stream within a double quoted scalar");
}
function readBlockScalar(state, parentIndent, props) {
	const ch = state.input.charCodeAt(state.position);
	let chomping = CHOMPING_MODE.CLIP;
	let indent = -1;
	let detectedIndent = false;
	if (ch !== 124 && ch !== 62) return false;
	const style = ch === 124 ? SCALAR_STYLE.LITERAL_BLOCK : SCALAR_STYLE.FOLDED_BLOCK;
	state.position++;
	while (state.input.charCodeAt(state.position) !== 0) {
		const current = state.input.charCodeAt(state.position);
		const digit = fromDecimalCode(current);
		if (current === 43 || current === 45) {
			if (chomping !== CHOMPING_MODE.CLIP) throwError(state, "repeat of a chomping mode identifier");
			chomping = current === 43 ? CHOMPING_MODE.KEEP : CHOMPING_MODE.STRIP;
			state.position++;
		} else if (digit >= 0) {
			if (digit === 0) throwError(state, "bad explicit indentation width of a block scalar; it cannot be less than one");
			if (detectedIndent) throwError(state, "repeat of an indentation width identifier");
			indent = parentIndent + digit - 1;
			detectedIndent = true;
			state.position++;
		} else break;
	}
	let hadWhitespace = false;
	while (isWhiteSpace$1(state.input.charCodeAt(state.position))) {
		hadWhitespace = true;
		state.position++;
	}
	if (hadWhitespace && state.input.charCodeAt(state.position) === 35) skipUntilLineEnd(state);
	if (isEol(state.input.charCodeAt(state.position))) consumeLineBreak(state);
	else if (state.input.charCodeAt(state.position) !== 0) throwError(state, "a line break is expected");
	let contentIndent = detectedIndent ? indent : -1;
	let maxLeadingIndent = 0;
	const valueStart = state.position;
	let valueEnd = state.position;
	while (state.input.charCodeAt(state.position) !== 0) {
		const linePosition = state.position;
		let column = 0;
		while (state.input.charCodeAt(linePosition + column) === 32) column++;
		const first = state.input.charCodeAt(linePosition + column);
		if (first === 0) {
			if (contentIndent >= 0) {
				if (column > contentIndent) valueEnd = linePosition + column;
			} else if (column > 0) valueEnd = linePosition + column;
			break;
		}
		if (testDocumentBoundary(state)) break;
		if (!detectedIndent && contentIndent === -1 && isEol(first)) maxLeadingIndent = Math.max(maxLeadingIndent, column);
		if (!detectedIndent && contentIndent === -1 && !isEol(first)) {
			if (first === 9 && column < parentIndent) {
				state.position = linePosition + column;
				throwError(state, "tab characters must not be used in indentation");
			}
			if (column >= parentIndent && column < maxLeadingIndent) {
				state.position = linePosition + column;
				throwError(state, "bad indentation of a mapping entry");
			}
		}
		if (contentIndent === -1 && first !== 0 && !isEol(first) && column < parentIndent) {
			state.lineIndent = column;
			state.position = linePosition + column;
			break;
		}
		if (!detectedIndent && first !== 0 && !isEol(first) && contentIndent === -1) contentIndent = column;
		const requiredIndent = contentIndent === -1 ? parentIndent + 1 : contentIndent;
		if (first !== 0 && !isEol(first) && column < requiredIndent) {
			state.lineIndent = column;
			state.position = linePosition + column;
			break;
		}
		skipUntilLineEnd(state);
		valueEnd = state.position;
		if (isEol(state.input.charCodeAt(state.position))) {
			consumeLineBreak(state);
			valueEnd = state.position;
		}
	}
	checkPrintable(state, valueStart, valueEnd);
	addScalarEvent(state, valueStart, valueEnd, props.anchorStart, props.anchorEnd, props.tagStart, props.tagEnd, style, chomping, contentIndent);
	return true;
}
function canStartPlainScalar(state, nodeContext) {
	const ch = state.input.charCodeAt(state.position);
	const inFlow = nodeContext === CONTEXT_FLOW_IN;
	if (ch === 0 || isWsOrEol(ch) || ch === 35 || ch === 38 || ch === 42 || ch === 33 || ch === 124 || ch === 62 || ch === 39 || ch === 34 || ch === 37 || ch === 64 || ch === 96 || isFlowIndicator(ch)) return false;
	if (ch === 63 || ch === 45) {
		const following = state.input.charCodeAt(state.position + 1);
		if (isWsOrEolOrEnd(following) || inFlow && isFlowIndicator(following)) return false;
	}
	return true;
}
function readPlainScalar(state, nodeIndent, nodeContext, props) {
	if (!canStartPlainScalar(state, nodeContext)) return false;
	const start = state.position;
	let end = state.position;
	let ch = state.input.charCodeAt(state.position);
	const inFlow = nodeContext === CONTEXT_FLOW_IN;
	let multiline = false;
	while (ch !== 0) {
		if (testDocumentBoundary(state)) break;
		if (ch === 58) {
			const following = state.input.charCodeAt(state.position + 1);
			if (isWsOrEolOrEnd(following) || inFlow && isFlowIndicator(following)) break;
		} else if (ch === 35) {
			if (isWsOrEol(state.input.charCodeAt(state.position - 1))) break;
		} else if (inFlow && isFlowIndicator(ch)) break;
		else if (isEol(ch)) {
			const savedPosition = state.position;
			const savedLine = state.line;
			const savedLineStart = state.lineStart;
			const savedLineIndent = state.lineIndent;
			skipSeparationSpace(state, false);
			if (state.lineIndent >= nodeIndent) {
				multiline = true;
				ch = state.input.charCodeAt(state.position);
				continue;
			}
			state.position = savedPosition;
			state.line = savedLine;
			state.lineStart = savedLineStart;
			state.lineIndent = savedLineIndent;
			break;
		}
		if (!isWhiteSpace$1(ch)) end = state.position + 1;
		ch = state.input.charCodeAt(++state.position);
	}
	if (end === start) return false;
	checkPrintable(state, start, end);
	addScalarEvent(state, start, end, props.anchorStart, props.anchorEnd, props.tagStart, props.tagEnd, SCALAR_STYLE.PLAIN, CHOMPING_MODE.CLIP, -1, !multiline);
	return true;
}
function skipFlowSeparationSpace(state, nodeIndent) {
	const startLine = state.line;
	skipSeparationSpace(state, true);
	if (state.line > startLine && state.lineIndent < nodeIndent || state.firstTabInLine !== -1 && state.lineIndent < nodeIndent) throwError(state, "deficient indentation");
}
function readFlowCollection(state, nodeIndent, props) {
	const ch = state.input.charCodeAt(state.position);
	const isMapping = ch === 123;
	const start = state.position;
	let readNext = true;
	if (ch !== 91 && ch !== 123) return false;
	const terminator = isMapping ? 125 : 93;
	if (isMapping) addMappingEvent(state, start, props.anchorStart, props.anchorEnd, props.tagStart, props.tagEnd, COLLECTION_STYLE.FLOW);
	else addSequenceEvent(state, start, props.anchorStart, props.anchorEnd, props.tagStart, props.tagEnd, COLLECTION_STYLE.FLOW);
	state.position++;
	while (state.input.charCodeAt(state.position) !== 0) {
		skipFlowSeparationSpace(state, nodeIndent);
		let ch = state.input.charCodeAt(state.position);
		if (ch === terminator) {
			state.position++;
			addPopEvent(state);
			return true;
		} else if (!readNext) throwError(state, "missed comma between flow collection entries");
		else if (ch === 44) throwError(state, "expected the node content, but found ','");
		let isPair = false;
		let isExplicitPair = false;
		if (ch === 63 && isWsOrEol(state.input.charCodeAt(state.position + 1))) {
			isPair = isExplicitPair = true;
			state.position += 1;
			skipFlowSeparationSpace(state, nodeIndent);
		}
		const entryLine = state.line;
		const entryStart = snapshotState(state);
		const keyWasRead = parseNode(state, nodeIndent, CONTEXT_FLOW_IN, false, true);
		skipFlowSeparationSpace(state, nodeIndent);
		ch = state.input.charCodeAt(state.position);
		if ((isMapping || isExplicitPair || state.line === entryLine) && ch === 58) {
			isPair = true;
			state.position++;
			skipFlowSeparationSpace(state, nodeIndent);
			if (!isMapping) {
				insertFlowPairMappingEvent(state, entryStart);
				if (!keyWasRead) addEmptyScalarEvent(state);
			} else if (!keyWasRead) addEmptyScalarEvent(state);
			if (!parseNode(state, nodeIndent, CONTEXT_FLOW_IN, false, true)) addEmptyScalarEvent(state);
			skipFlowSeparationSpace(state, nodeIndent);
			if (!isMapping) addPopEvent(state);
		} else if (isMapping && isPair) {
			if (!keyWasRead) addEmptyScalarEvent(state);
			addEmptyScalarEvent(state);
		} else if (isMapping) addEmptyScalarEvent(state);
		else if (isPair) {
			insertFlowPairMappingEvent(state, entryStart);
			if (!keyWasRead) addEmptyScalarEvent(state);
			addEmptyScalarEvent(state);
			addPopEvent(state);
		}
		ch = state.input.charCodeAt(state.position);
		if (ch === 44) {
			readNext = true;
			state.position++;
		} else readNext = false;
	}
	throwError(state, "unexpected end of the stream within a flow collection");
}
function readBlockSequence(state, nodeIndent, props) {
	if (state.firstTabInLine !== -1 || state.input.charCodeAt(state.position) !== 45 || !isWsOrEolOrEnd(state.input.charCodeAt(state.position + 1))) return false;
	addSequenceEvent(state, state.position, props.anchorStart, props.anchorEnd, props.tagStart, props.tagEnd, COLLECTION_STYLE.BLOCK);
	while (state.input.charCodeAt(state.position) === 45 && isWsOrEolOrEnd(state.input.charCodeAt(state.position + 1))) {
		if (state.firstTabInLine !== -1) {
			state.position = state.firstTabInLine;
			throwError(state, "tab characters must not be used in indentation");
		}
		const entryLine = state.line;
		state.position++;
		const hadBreak = skipSeparationSpace(state, true) > 0;
		if (state.firstTabInLine !== -1 && state.input.charCodeAt(state.position) === 45 && isWsOrEolOrEnd(state.input.charCodeAt(state.position + 1))) throwError(state, "bad indentation of a sequence entry");
		if (hadBreak && state.lineIndent <= nodeIndent) addEmptyScalarEvent(state);
		else parseNode(state, nodeIndent, CONTEXT_BLOCK_IN, false, true);
		skipSeparationSpace(state, true);
		if (state.lineIndent < nodeIndent || state.position >= state.length) break;
		if (state.lineIndent > nodeIndent) throwError(state, "bad indentation of a sequence entry");
		if (state.line === entryLine && state.input.charCodeAt(state.position) === 45 && isWsOrEolOrEnd(state.input.charCodeAt(state.position + 1))) throwError(state, "bad indentation of a sequence entry");
	}
	addPopEvent(state);
	return true;
}
function readBlockMapping(state, nodeIndent, flowIndent, props) {
	let atExplicitKey = false;
	let detected = false;
	let mappingOpened = false;
	let pendingExplicitKey = false;
	if (state.firstTabInLine !== -1) return false;
	let ch = state.input.charCodeAt(state.position);
	while (ch !== 0) {
		if (!atExplicitKey && state.firstTabInLine !== -1) {
			state.position = state.firstTabInLine;
			throwError(state, "tab characters must not be used in indentation");
		}
		const following = state.input.charCodeAt(state.position + 1);
		const entryLine = state.line;
		if ((ch === 63 || ch === 58) && isWsOrEolOrEnd(following)) {
			if (!mappingOpened) {
				addMappingEvent(state, state.position, props.anchorStart, props.anchorEnd, props.tagStart, props.tagEnd, COLLECTION_STYLE.BLOCK);
				mappingOpened = true;
			}
			if (ch === 63) {
				if (atExplicitKey) addEmptyScalarEvent(state);
				detected = true;
				atExplicitKey = true;
			} else if (atExplicitKey) atExplicitKey = false;
			else {
				addEmptyScalarEvent(state);
				detected = true;
				atExplicitKey = false;
			}
			state.position += 1;
			pendingExplicitKey = true;
		} else {
			if (atExplicitKey) {
				addEmptyScalarEvent(state);
				atExplicitKey = false;
			}
			const beforeKey = snapshotState(state);
			if (!parseNode(state, flowIndent, CONTEXT_FLOW_OUT, false, true)) break;
			if (state.line === entryLine) {
				ch = state.input.charCodeAt(state.position);
				while (isWhiteSpace$1(ch)) ch = state.input.charCodeAt(++state.position);
				if (ch === 58) {
					ch = state.input.charCodeAt(++state.position);
					if (!isWsOrEolOrEnd(ch)) throwError(state, "a whitespace character is expected after the key-value separator within a block mapping");
					if (!mappingOpened) {
						state.events.splice(beforeKey.eventsLength, 0, {
							type: EVENT_ID.MAPPING,
							start: beforeKey.position,
							anchorStart: props.anchorStart,
							anchorEnd: props.anchorEnd,
							tagStart: props.tagStart,
							tagEnd: props.tagEnd,
							style: COLLECTION_STYLE.BLOCK
						});
						mappingOpened = true;
					}
					detected = true;
					atExplicitKey = false;
					pendingExplicitKey = false;
				} else if (detected) throwError(state, "expected ':' after a mapping key");
				else {
					if (props.anchorStart !== NO_RANGE$1 || props.tagStart !== NO_RANGE$1) {
						restoreState(state, beforeKey);
						return false;
					}
					return true;
				}
			} else if (detected) throwError(state, "can not read a block mapping entry; a multiline key may not be an implicit key");
			else {
				if (props.anchorStart !== NO_RANGE$1 || props.tagStart !== NO_RANGE$1) {
					restoreState(state, beforeKey);
					return false;
				}
				return true;
			}
		}
		if (parseNode(state, nodeIndent, CONTEXT_BLOCK_OUT, true, pendingExplicitKey)) pendingExplicitKey = false;
		if (!atExplicitKey) {
			if (pendingExplicitKey) {
				addEmptyScalarEvent(state);
				pendingExplicitKey = false;
			}
		}
		skipSeparationSpace(state, true);
		ch = state.input.charCodeAt(state.position);
		if ((state.line === entryLine || state.lineIndent > nodeIndent) && ch !== 0) throwError(state, "bad indentation of a mapping entry");
		else if (state.lineIndent < nodeIndent) break;
	}
	if (!detected) return false;
	if (atExplicitKey) addEmptyScalarEvent(state);
	if (mappingOpened) addPopEvent(state);
	return true;
}
function parseNode(state, parentIndent, nodeContext, allowToSeek, allowCompact, allowPropertyMapping = true) {
	if (state.depth >= state.maxDepth) throwError(state, `nesting exceeded maxDepth (${state.maxDepth})`);
	state.depth++;
	let indentStatus = 1;
	let atNewLine = false;
	let hasContent = false;
	let propertyStart = null;
	const props = emptyProperties();
	let allowBlockScalars = nodeContext === CONTEXT_BLOCK_OUT || nodeContext === CONTEXT_BLOCK_IN;
	let allowBlockCollections = allowBlockScalars;
	const allowBlockStyles = allowBlockScalars;
	if (allowToSeek && skipSeparationSpace(state, true)) {
		atNewLine = true;
		if (state.lineIndent > parentIndent) indentStatus = 1;
		else if (state.lineIndent === parentIndent) indentStatus = 0;
		else indentStatus = -1;
	}
	if (indentStatus === 1) while (true) {
		const ch = state.input.charCodeAt(state.position);
		const propertyState = snapshotState(state);
		if (atNewLine && indentStatus !== 1 && (ch === 33 || ch === 38)) break;
		if (atNewLine && allowBlockStyles && (props.tagStart !== NO_RANGE$1 || props.anchorStart !== NO_RANGE$1) && (ch === 33 || ch === 38)) {
			const fallbackState = snapshotState(state);
			const flowIndent = parentIndent + 1;
			if (readBlockMapping(state, state.position - state.lineStart, flowIndent, props) && state.events[fallbackState.eventsLength]?.type === EVENT_ID.MAPPING) {
				state.depth--;
				return true;
			}
			restoreState(state, fallbackState);
		}
		if (atNewLine && (ch === 33 && props.tagStart !== NO_RANGE$1 || ch === 38 && props.anchorStart !== NO_RANGE$1)) break;
		if (!readTagProperty(state, props, nodeContext === CONTEXT_FLOW_IN) && !readAnchorProperty(state, props)) break;
		if (propertyStart === null) propertyStart = propertyState;
		if (skipSeparationSpace(state, true)) {
			atNewLine = true;
			allowBlockCollections = allowBlockStyles;
			if (state.lineIndent > parentIndent) indentStatus = 1;
			else if (state.lineIndent === parentIndent) indentStatus = 0;
			else indentStatus = -1;
		} else allowBlockCollections = false;
	}
	if (allowBlockCollections) allowBlockCollections = atNewLine || allowCompact;
	if (indentStatus === 1 || nodeContext === CONTEXT_BLOCK_OUT) {
		const flowIndent = nodeContext === CONTEXT_FLOW_IN || nodeContext === CONTEXT_FLOW_OUT ? parentIndent : parentIndent + 1;
		const blockIndent = state.position - state.lineStart;
		if (indentStatus === 1) {
			if (allowBlockCollections && (readBlockSequence(state, blockIndent, props) || readBlockMapping(state, blockIndent, flowIndent, props)) || readFlowCollection(state, flowIndent, props)) hasContent = true;
			else {
				const ch = state.input.charCodeAt(state.position);
				if (propertyStart !== null && allowPropertyMapping && allowBlockStyles && !allowBlockCollections && ch !== 124 && ch !== 62) {
					const fallbackState = snapshotState(state);
					const propertyIndent = propertyStart.position - propertyStart.lineStart;
					restoreState(state, propertyStart);
					if (readBlockMapping(state, propertyIndent, flowIndent, emptyProperties()) && state.events[fallbackState.eventsLength]?.type === EVENT_ID.MAPPING) hasContent = true;
					else restoreState(state, fallbackState);
				}
				if (!hasContent && (allowBlockScalars && readBlockScalar(state, flowIndent, props) || readSingleQuotedScalar(state, flowIndent, props) || readDoubleQuotedScalar(state, flowIndent, props) || readAlias(state, props) || readPlainScalar(state, flowIndent, nodeContext, props))) hasContent = true;
			}
		} else if (indentStatus === 0) hasContent = allowBlockCollections && readBlockSequence(state, blockIndent, props);
	}
	allowBlockScalars = allowBlockScalars && !hasContent;
	if (!hasContent && (props.anchorStart !== NO_RANGE$1 || props.tagStart !== NO_RANGE$1 || allowBlockScalars)) {
		addScalarEvent(state, NO_RANGE$1, NO_RANGE$1, props.anchorStart, props.anchorEnd, props.tagStart, props.tagEnd, SCALAR_STYLE.PLAIN);
		hasContent = true;
	}
	state.depth--;
	return hasContent || props.anchorStart !== NO_RANGE$1 || props.tagStart !== NO_RANGE$1;
}
function readDirective(state) {
	if (state.lineIndent > 0 || state.input.charCodeAt(state.position) !== 37) return false;
	state.position++;
	const nameStart = state.position;
	while (state.input.charCodeAt(state.position) !== 0 && !isWsOrEol(state.input.charCodeAt(state.position))) state.position++;
	const name = state.input.slice(nameStart, state.position);
	const args = [];
	if (name.length === 0) throwError(state, "directive name must not be less than one character in length");
	while (state.input.charCodeAt(state.position) !== 0 && !isEol(state.input.charCodeAt(state.position))) {
		while (isWhiteSpace$1(state.input.charCodeAt(state.position))) state.position++;
		if (state.input.charCodeAt(state.position) === 35 || isEol(state.input.charCodeAt(state.position)) || state.input.charCodeAt(state.position) === 0) break;
		const start = state.position;
		while (state.input.charCodeAt(state.position) !== 0 && !isWsOrEol(state.input.charCodeAt(state.position))) state.position++;
		args.push(state.input.slice(start, state.position));
	}
	if (isEol(state.input.charCodeAt(state.position))) consumeLineBreak(state);
	if (name === "YAML") {
		if (state.directives.some((directive) => directive.kind === "yaml")) throwError(state, "duplication of %YAML directive");
		if (args.length !== 1) throwError(state, "YAML directive accepts exactly one argument");
		const match = /^([0-9]+)\.([0-9]+)$/.exec(args[0]);
		if (match === null) throwError(state, "ill-formed argument of the YAML directive");
		if (parseInt(match[1], 10) !== 1) throwError(state, "unacceptable YAML version of the document");
		state.directives.push({
			kind: "yaml",
			version: args[0]
		});
	} else if (name === "TAG") {
		if (args.length !== 2) throwError(state, "TAG directive accepts exactly two arguments");
		const [handle, prefix] = args;
		if (!PATTERN_TAG_HANDLE.test(handle)) throwError(state, "ill-formed tag handle (first argument) of the TAG directive");
		if (HAS_OWN.call(state.tagHandlers, handle)) throwError(state, `there is a previously declared suffix for "${handle}" tag handle`);
		if (!PATTERN_TAG_PREFIX.test(prefix)) throwError(state, "ill-formed tag prefix (second argument) of the TAG directive");
		state.tagHandlers[handle] = prefix;
		state.directives.push({
			kind: "tag",
			handle,
			prefix
		});
	}
	return true;
}
function readDocument(state) {
	state.directives = [];
	state.tagHandlers = Object.create(null);
	let hasDirectives = false;
	skipSeparationSpace(state, true);
	while (readDirective(state)) {
		hasDirectives = true;
		skipSeparationSpace(state, true);
	}
	let explicitStart = false;
	let explicitEnd = false;
	let allowCompact = true;
	if (state.lineIndent === 0 && state.input.charCodeAt(state.position) === 45 && state.input.charCodeAt(state.position + 1) === 45 && state.input.charCodeAt(state.position + 2) === 45 && isWsOrEolOrEnd(state.input.charCodeAt(state.position + 3))) {
		explicitStart = true;
		const markerLine = state.line;
		state.position += 3;
		skipSeparationSpace(state, true);
		allowCompact = state.line > markerLine;
	} else if (hasDirectives) throwError(state, "directives end mark is expected");
	const documentEventIndex = state.events.length;
	if (!explicitStart && state.position === state.lineStart && state.input.charCodeAt(state.position) === 46 && testDocumentSeparator(state)) {
		state.position += 3;
		skipSeparationSpace(state, true);
		return;
	}
	addDocumentEvent(state, explicitStart, false);
	if (!parseNode(state, state.lineIndent - 1, CONTEXT_BLOCK_OUT, false, allowCompact, allowCompact)) addEmptyScalarEvent(state);
	skipSeparationSpace(state, true);
	if (state.position === state.lineStart && testDocumentSeparator(state)) {
		explicitEnd = state.input.charCodeAt(state.position) === 46;
		if (explicitEnd) {
			const markerLine = state.line;
			state.position += 3;
			skipSeparationSpace(state, true);
			if (state.line === markerLine && state.position < state.length) throwError(state, "end of the stream or a document separator is expected");
		}
	}
	const documentEvent = state.events[documentEventIndex];
	if (documentEvent?.type === EVENT_ID.DOCUMENT) documentEvent.explicitEnd = explicitEnd;
	addPopEvent(state);
	if (!explicitEnd && state.position < state.length && !testDocumentBoundary(state)) throwError(state, "end of the stream or a document separator is expected");
}
function parseEvents(input, options) {
	const length = input.length;
	const state = {
		...DEFAULT_PARSER_OPTIONS,
		...options,
		input: `${input}\0`,
		length,
		position: 0,
		line: 0,
		lineStart: 0,
		lineIndent: 0,
		firstTabInLine: -1,
		depth: 0,
		directives: [],
		tagHandlers: Object.create(null),
		events: []
	};
	const nullpos = input.indexOf("\0");
	if (nullpos !== -1) YAMLException.throwAt(input, nullpos, "null byte is not allowed in input", state.filename);
	while (state.position < state.length) {
		skipByteOrderMark(state);
		skipSeparationSpace(state, true);
		if (state.position >= state.length) break;
		const documentStart = state.position;
		readDocument(state);
		if (state.position === documentStart) throwError(state, "can not read a document");
	}
	return state.events;
}
var DEFAULT_LOAD_OPTIONS = {
	...DEFAULT_PARSER_OPTIONS,
	...DEFAULT_CONSTRUCTOR_OPTIONS
};
function loadDocuments(input, options = {}) {
	const opts = {
		...DEFAULT_LOAD_OPTIONS,
		...options
	};
	const source = String(input);
	const PARSER_OPT_KEYS = Object.keys(DEFAULT_PARSER_OPTIONS);
	const CONSTRUCTOR_OPT_KEYS = Object.keys(DEFAULT_CONSTRUCTOR_OPTIONS);
	return constructFromEvents(parseEvents(source, pick(opts, PARSER_OPT_KEYS)), {
		...pick(opts, CONSTRUCTOR_OPT_KEYS),
		source
	});
}
function loadAll(input, iteratorOrOptions, options) {
	let iterator = null;
	if (typeof iteratorOrOptions === "function") iterator = iteratorOrOptions;
	else if (iteratorOrOptions !== null && typeof iteratorOrOptions === "object") options = iteratorOrOptions;
	const documents = loadDocuments(input, options);
	if (iterator === null) return documents;
	for (const document of documents) iterator(document);
}
function hasBit(mask, bit) {
	return (mask & 1 << bit) !== 0;
}
var DEFAULT_SCALAR_STYLE_RULES = {
	applyQuoteFlowKeysOption,
	doubleQuoteForInvisibles,
	doubleQuoteWhitespaceOnly,
	applyForceQuotesOption,
	tryLongOrMultilineAsBlock,
	quoteInvalidPlain,
	fallbackToDoubleQuoted
};
function _preferredQuotedStyle(layout) {
	if (layout.presenterOptions.quoteStyle === "single" && hasBit(layout.allowedStylesMask, SCALAR_STYLE.SINGLE_QUOTED)) return SCALAR_STYLE.SINGLE_QUOTED;
	return SCALAR_STYLE.DOUBLE_QUOTED;
}
function applyQuoteFlowKeysOption(layout) {
	if (!layout.presenterOptions.quoteFlowKeys) return;
	if (!layout.isKey || !layout.flowOnly || layout.style !== SCALAR_STYLE.PLAIN) return;
	layout.style = SCALAR_STYLE.DOUBLE_QUOTED;
}
function doubleQuoteForInvisibles(layout) {
	if (layout.style === SCALAR_STYLE.PLAIN && /[\t\x7F-\xA0\u2028\u2029\uFEFF\uFFFE\uFFFF]/.test(layout.node.value)) layout.style = SCALAR_STYLE.DOUBLE_QUOTED;
}
function doubleQuoteWhitespaceOnly(layout) {
	if (layout.style === SCALAR_STYLE.PLAIN && /^\s+$/.test(layout.node.value)) layout.style = SCALAR_STYLE.DOUBLE_QUOTED;
}
function applyForceQuotesOption(layout) {
	if (!layout.presenterOptions.forceQuotes) return;
	if (layout.isKey || layout.style !== SCALAR_STYLE.PLAIN) return;
	if (layout.node.tag !== layout.presenterOptions.schema.defaultScalarTag.tagName) return;
	layout.style = layout.node.value.includes("\n") ? SCALAR_STYLE.DOUBLE_QUOTED : _preferredQuotedStyle(layout);
}
function tryLongOrMultilineAsBlock(layout) {
	if (layout.style !== SCALAR_STYLE.PLAIN || layout.isKey) return;
	const value = layout.node.value;
	const multiline = value.indexOf("\n") !== -1;
	if (!hasBit(layout.allowedStylesMask, SCALAR_STYLE.LITERAL_BLOCK)) {
		if (multiline) layout.style = SCALAR_STYLE.DOUBLE_QUOTED;
		return;
	}
	const w = layout.presenterOptions.lineWidth;
	if (w === -1) {
		if (multiline) layout.style = SCALAR_STYLE.LITERAL_BLOCK;
		return;
	}
	const availableWidth = Math.max(Math.min(w, 40), w - layout.shiftOfContent);
	let position = 0;
	let shouldFold = false;
	while (position <= value.length) {
		let lineEnd = value.length;
		const nextLineBreak = value.indexOf("\n", position);
		if (nextLineBreak !== -1) lineEnd = nextLineBreak;
		const line = value.slice(position, lineEnd);
		if (line.length > availableWidth && line[0] !== " " && / [^ \t]/.test(line)) shouldFold = true;
		if (nextLineBreak === -1) break;
		position = nextLineBreak + 1;
	}
	if (shouldFold) layout.style = SCALAR_STYLE.FOLDED_BLOCK;
	else if (multiline) layout.style = SCALAR_STYLE.LITERAL_BLOCK;
}
function quoteInvalidPlain(layout) {
	if (layout.style === SCALAR_STYLE.PLAIN && !hasBit(layout.allowedStylesMask, SCALAR_STYLE.PLAIN)) layout.style = _preferredQuotedStyle(layout);
}
function fallbackToDoubleQuoted(layout) {
	if (!hasBit(layout.allowedStylesMask, layout.style)) layout.style = SCALAR_STYLE.DOUBLE_QUOTED;
}
var SRC_C_PRINTABLE = "[\\x09\\x0A\\x0D\\x20-\\x7E\\x85\\xA0-\\uD7FF\\uE000-\\uFFFD\\u{10000}-\\u{10FFFF}]";
var SRC_B_CHAR = "[\\n\\r]";
var SRC_C_BYTE_ORDER_MARK = "\\uFEFF";
var SRC_S_WHITE = "[ \\t]";
var SRC_NB_CHAR = `(?:(?!(?:${SRC_B_CHAR}|${SRC_C_BYTE_ORDER_MARK}))${SRC_C_PRINTABLE})`;
var SRC_NS_CHAR = `(?:(?!${SRC_S_WHITE})${SRC_NB_CHAR})`;
var SRC_NB_JSON = "[\\x09\\x20-\\uD7FF\\uE000-\\uFFFF\\u{10000}-\\u{10FFFF}]";
var SRC_C_INDICATOR = "[-?:,\\[\\]{}#&*!|>'\"%@`]";
var SRC_C_FLOW_INDICATOR = "[,\\[\\]{}]";
var SRC_NS_PLAIN_SAFE_FLOW_OUT = SRC_NS_CHAR;
var SRC_NS_PLAIN_SAFE_FLOW_IN = `(?:(?!${SRC_C_FLOW_INDICATOR})${SRC_NS_CHAR})`;
var SRC_NS_PLAIN_FIRST_FLOW_OUT = `(?:(?:(?!${SRC_C_INDICATOR})${SRC_NS_CHAR})|[?:-](?=${SRC_NS_PLAIN_SAFE_FLOW_OUT}))`;
var SRC_NS_PLAIN_FIRST_FLOW_IN = `(?:(?:(?!${SRC_C_INDICATOR})${SRC_NS_CHAR})|[?:-](?=${SRC_NS_PLAIN_SAFE_FLOW_IN}))`;
var SRC_NS_PLAIN_CHAR_FLOW_OUT = `(?:(?:(?![:#])${SRC_NS_PLAIN_SAFE_FLOW_OUT})|:(?=${SRC_NS_PLAIN_SAFE_FLOW_OUT}))#*`;
var SRC_NS_PLAIN_CHAR_FLOW_IN = `(?:(?:(?![:#])${SRC_NS_PLAIN_SAFE_FLOW_IN})|:(?=${SRC_NS_PLAIN_SAFE_FLOW_IN}))#*`;
var SRC_NB_NS_PLAIN_IN_LINE_FLOW_OUT = `(?:${SRC_S_WHITE}*${SRC_NS_PLAIN_CHAR_FLOW_OUT})*`;
var SRC_NB_NS_PLAIN_IN_LINE_FLOW_IN = `(?:${SRC_S_WHITE}*${SRC_NS_PLAIN_CHAR_FLOW_IN})*`;
var SRC_NS_PLAIN_ONE_LINE_FLOW_OUT = `${SRC_NS_PLAIN_FIRST_FLOW_OUT}#*${SRC_NB_NS_PLAIN_IN_LINE_FLOW_OUT}`;
var SRC_NS_PLAIN_ONE_LINE_FLOW_IN = `${SRC_NS_PLAIN_FIRST_FLOW_IN}#*${SRC_NB_NS_PLAIN_IN_LINE_FLOW_IN}`;
var SRC_NS_PLAIN_ONE_LINE_BLOCK_KEY = SRC_NS_PLAIN_ONE_LINE_FLOW_OUT;
var SRC_NS_PLAIN_ONE_LINE_FLOW_KEY = SRC_NS_PLAIN_ONE_LINE_FLOW_IN;
var SRC_S_NS_PLAIN_NEXT_LINE_FLOW_OUT = `\\n+${SRC_NS_PLAIN_CHAR_FLOW_OUT}${SRC_NB_NS_PLAIN_IN_LINE_FLOW_OUT}`;
var SRC_S_NS_PLAIN_NEXT_LINE_FLOW_IN = `\\n+${SRC_NS_PLAIN_CHAR_FLOW_IN}${SRC_NB_NS_PLAIN_IN_LINE_FLOW_IN}`;
var SRC_NS_PLAIN_MULTI_LINE_FLOW_OUT = `${SRC_NS_PLAIN_ONE_LINE_FLOW_OUT}(?:${SRC_S_NS_PLAIN_NEXT_LINE_FLOW_OUT})*`;
var SRC_NS_PLAIN_MULTI_LINE_FLOW_IN = `${SRC_NS_PLAIN_ONE_LINE_FLOW_IN}(?:${SRC_S_NS_PLAIN_NEXT_LINE_FLOW_IN})*`;
new RegExp(`^(?:${SRC_NS_PLAIN_MULTI_LINE_FLOW_OUT})$`, "u");
new RegExp(`^(?:${SRC_NS_PLAIN_MULTI_LINE_FLOW_IN})$`, "u");
new RegExp(`^(?:${SRC_NS_PLAIN_ONE_LINE_BLOCK_KEY})$`, "u");
new RegExp(`^(?:${SRC_NS_PLAIN_ONE_LINE_FLOW_KEY})$`, "u");
new RegExp(`^(?:${SRC_NB_JSON})*$`, "u");
new RegExp(`^(?:${SRC_NB_JSON}|\\n)*$`, "u");
new RegExp(`^(?:${SRC_NB_CHAR}|\\n)*$`, "u");
Object.keys(DEFAULT_SCALAR_STYLE_RULES).map((name) => Reflect.get(DEFAULT_SCALAR_STYLE_RULES, name));
EVENT_ID.DOCUMENT;
EVENT_ID.SEQUENCE;
EVENT_ID.MAPPING;
EVENT_ID.SCALAR;
EVENT_ID.ALIAS;
EVENT_ID.POP;
SCALAR_STYLE.PLAIN;
SCALAR_STYLE.SINGLE_QUOTED;
SCALAR_STYLE.DOUBLE_QUOTED;
SCALAR_STYLE.LITERAL_BLOCK;
SCALAR_STYLE.FOLDED_BLOCK;
COLLECTION_STYLE.BLOCK;
COLLECTION_STYLE.FLOW;
CHOMPING_MODE.CLIP;
CHOMPING_MODE.STRIP;
CHOMPING_MODE.KEEP;
// node_modules/jsonc-parser/lib/esm/impl/scanner.js
function createScanner(text, ignoreTrivia = false) {
	const len = text.length;
	let pos = 0, value = "", tokenOffset = 0, token = 16, lineNumber = 0, lineStartOffset = 0, tokenLineStartOffset = 0, prevTokenLineStartOffset = 0, scanError = 0;
	function scanHexDigits(count, exact) {
		let digits = 0;
		let value = 0;
		while (digits < count || !exact) {
			let ch = text.charCodeAt(pos);
			if (ch >= 48 && ch <= 57) value = value * 16 + ch - 48;
			else if (ch >= 65 && ch <= 70) value = value * 16 + ch - 65 + 10;
			else if (ch >= 97 && ch <= 102) value = value * 16 + ch - 97 + 10;
			else break;
			pos++;
			digits++;
		}
		if (digits < count) value = -1;
		return value;
	}
	function setPosition(newPosition) {
		pos = newPosition;
		value = "";
		tokenOffset = 0;
		token = 16;
		scanError = 0;
	}
	function scanNumber() {
		let start = pos;
		if (text.charCodeAt(pos) === 48) pos++;
		else {
			pos++;
			while (pos < text.length && isDigit$1(text.charCodeAt(pos))) pos++;
		}
		if (pos < text.length && text.charCodeAt(pos) === 46) {
			pos++;
			if (pos < text.length && isDigit$1(text.charCodeAt(pos))) {
				pos++;
				while (pos < text.length && isDigit$1(text.charCodeAt(pos))) pos++;
			} else {
				scanError = 3;
				return text.substring(start, pos);
			}
		}
		let end = pos;
		if (pos < text.length && (text.charCodeAt(pos) === 69 || text.charCodeAt(pos) === 101)) {
			pos++;
			if (pos < text.length && text.charCodeAt(pos) === 43 || text.charCodeAt(pos) === 45) pos++;
			if (pos < text.length && isDigit$1(text.charCodeAt(pos))) {
				pos++;
				while (pos < text.length && isDigit$1(text.charCodeAt(pos))) pos++;
				end = pos;
			} else scanError = 3;
		}
		return text.substring(start, end);
	}
	function scanString() {
		let result = "", start = pos;
		while (true) {
			if (pos >= len) {
				result += text.substring(start, pos);
				scanError = 2;
				break;
			}
			const ch = text.charCodeAt(pos);
			if (ch === 34) {
				result += text.substring(start, pos);
				pos++;
				break;
			}
			if (ch === 92) {
				result += text.substring(start, pos);
				pos++;
				if (pos >= len) {
					scanError = 2;
					break;
				}
				switch (text.charCodeAt(pos++)) {
					case 34:
						result += "\"";
						break;
					case 92:
						result += "\\";
						break;
					case 47:
						result += "/";
						break;
					case 98:
						result += "\b";
						break;
					case 102:
						result += "\f";
						break;
					case 110:
						result += "\n";
						break;
					case 114:
						result += "\r";
						break;
					case 116:
						result += "	";
						break;
					case 117:
						const ch3 = scanHexDigits(4, true);
						if (ch3 >= 0) result += String.fromCharCode(ch3);
						else scanError = 4;
						break;
					default: scanError = 5;
				}
				start = pos;
				continue;
			}
			if (ch >= 0 && ch <= 31) {
				if (isLineBreak(ch)) {
					result += text.substring(start, pos);
					scanError = 2;
					break;
				} else scanError = 6;
			}
			pos++;
		}
		return result;
	}
	function scanNext() {
		value = "";
		scanError = 0;
		tokenOffset = pos;
		lineStartOffset = lineNumber;
		prevTokenLineStartOffset = tokenLineStartOffset;
		if (pos >= len) {
			tokenOffset = len;
			return token = 17;
		}
		let code = text.charCodeAt(pos);
		if (isWhiteSpace(code)) {
			do {
				pos++;
				value += String.fromCharCode(code);
				code = text.charCodeAt(pos);
			} while (isWhiteSpace(code));
			return token = 15;
		}
		if (isLineBreak(code)) {
			pos++;
			value += String.fromCharCode(code);
			if (code === 13 && text.charCodeAt(pos) === 10) {
				pos++;
				value += "\n";
			}
			lineNumber++;
			tokenLineStartOffset = pos;
			return token = 14;
		}
		switch (code) {
			case 123:
				pos++;
				return token = 1;
			case 125:
				pos++;
				return token = 2;
			case 91:
				pos++;
				return token = 3;
			case 93:
				pos++;
				return token = 4;
			case 58:
				pos++;
				return token = 6;
			case 44:
				pos++;
				return token = 5;
			case 34:
				pos++;
				value = scanString();
				return token = 10;
			case 47:
				const start = pos - 1;
				if (text.charCodeAt(pos + 1) === 47) {
					pos += 2;
					while (pos < len) {
						if (isLineBreak(text.charCodeAt(pos))) break;
						pos++;
					}
					value = text.substring(start, pos);
					return token = 12;
				}
				if (text.charCodeAt(pos + 1) === 42) {
					pos += 2;
					const safeLength = len - 1;
					let commentClosed = false;
					while (pos < safeLength) {
						const ch = text.charCodeAt(pos);
						if (ch === 42 && text.charCodeAt(pos + 1) === 47) {
							pos += 2;
							commentClosed = true;
							break;
						}
						pos++;
						if (isLineBreak(ch)) {
							if (ch === 13 && text.charCodeAt(pos) === 10) pos++;
							lineNumber++;
							tokenLineStartOffset = pos;
						}
					}
					if (!commentClosed) {
						pos++;
						scanError = 1;
					}
					value = text.substring(start, pos);
					return token = 13;
				}
				value += String.fromCharCode(code);
				pos++;
				return token = 16;
			case 45:
				value += String.fromCharCode(code);
				pos++;
				if (pos === len || !isDigit$1(text.charCodeAt(pos))) return token = 16;
			case 48:
			case 49:
			case 50:
			case 51:
			case 52:
			case 53:
			case 54:
			case 55:
			case 56:
			case 57:
				value += scanNumber();
				return token = 11;
			default:
				while (pos < len && isUnknownContentCharacter(code)) {
					pos++;
					code = text.charCodeAt(pos);
				}
				if (tokenOffset !== pos) {
					value = text.substring(tokenOffset, pos);
					switch (value) {
						case "true": return token = 8;
						case "false": return token = 9;
						case "null": return token = 7;
					}
					return token = 16;
				}
				value += String.fromCharCode(code);
				pos++;
				return token = 16;
		}
	}
	function isUnknownContentCharacter(code) {
		if (isWhiteSpace(code) || isLineBreak(code)) return false;
		switch (code) {
			case 125:
			case 93:
			case 123:
			case 91:
			case 34:
			case 58:
			case 44:
			case 47: return false;
		}
		return true;
	}
	function scanNextNonTrivia() {
		let result;
		do
			result = scanNext();
		while (result >= 12 && result <= 15);
		return result;
	}
	return {
		setPosition,
		getPosition: () => pos,
		scan: ignoreTrivia ? scanNextNonTrivia : scanNext,
		getToken: () => token,
		getTokenValue: () => value,
		getTokenOffset: () => tokenOffset,
		getTokenLength: () => pos - tokenOffset,
		getTokenStartLine: () => lineStartOffset,
		getTokenStartCharacter: () => tokenOffset - prevTokenLineStartOffset,
		getTokenError: () => scanError
	};
}
function isWhiteSpace(ch) {
	return ch === 32 || ch === 9;
}
function isLineBreak(ch) {
	return ch === 10 || ch === 13;
}
function isDigit$1(ch) {
	return ch >= 48 && ch <= 57;
}
var CharacterCodes;
(function(CharacterCodes) {
	CharacterCodes[CharacterCodes["lineFeed"] = 10] = "lineFeed";
	CharacterCodes[CharacterCodes["carriageReturn"] = 13] = "carriageReturn";
	CharacterCodes[CharacterCodes["space"] = 32] = "space";
	CharacterCodes[CharacterCodes["_0"] = 48] = "_0";
	CharacterCodes[CharacterCodes["_1"] = 49] = "_1";
	CharacterCodes[CharacterCodes["_2"] = 50] = "_2";
	CharacterCodes[CharacterCodes["_3"] = 51] = "_3";
	CharacterCodes[CharacterCodes["_4"] = 52] = "_4";
	CharacterCodes[CharacterCodes["_5"] = 53] = "_5";
	CharacterCodes[CharacterCodes["_6"] = 54] = "_6";
	CharacterCodes[CharacterCodes["_7"] = 55] = "_7";
	CharacterCodes[CharacterCodes["_8"] = 56] = "_8";
	CharacterCodes[CharacterCodes["_9"] = 57] = "_9";
	CharacterCodes[CharacterCodes["a"] = 97] = "a";
	CharacterCodes[CharacterCodes["b"] = 98] = "b";
	CharacterCodes[CharacterCodes["c"] = 99] = "c";
	CharacterCodes[CharacterCodes["d"] = 100] = "d";
	CharacterCodes[CharacterCodes["e"] = 101] = "e";
	CharacterCodes[CharacterCodes["f"] = 102] = "f";
	CharacterCodes[CharacterCodes["g"] = 103] = "g";
	CharacterCodes[CharacterCodes["h"] = 104] = "h";
	CharacterCodes[CharacterCodes["i"] = 105] = "i";
	CharacterCodes[CharacterCodes["j"] = 106] = "j";
	CharacterCodes[CharacterCodes["k"] = 107] = "k";
	CharacterCodes[CharacterCodes["l"] = 108] = "l";
	CharacterCodes[CharacterCodes["m"] = 109] = "m";
	CharacterCodes[CharacterCodes["n"] = 110] = "n";
	CharacterCodes[CharacterCodes["o"] = 111] = "o";
	CharacterCodes[CharacterCodes["p"] = 112] = "p";
	CharacterCodes[CharacterCodes["q"] = 113] = "q";
	CharacterCodes[CharacterCodes["r"] = 114] = "r";
	CharacterCodes[CharacterCodes["s"] = 115] = "s";
	CharacterCodes[CharacterCodes["t"] = 116] = "t";
	CharacterCodes[CharacterCodes["u"] = 117] = "u";
	CharacterCodes[CharacterCodes["v"] = 118] = "v";
	CharacterCodes[CharacterCodes["w"] = 119] = "w";
	CharacterCodes[CharacterCodes["x"] = 120] = "x";
	CharacterCodes[CharacterCodes["y"] = 121] = "y";
	CharacterCodes[CharacterCodes["z"] = 122] = "z";
	CharacterCodes[CharacterCodes["A"] = 65] = "A";
	CharacterCodes[CharacterCodes["B"] = 66] = "B";
	CharacterCodes[CharacterCodes["C"] = 67] = "C";
	CharacterCodes[CharacterCodes["D"] = 68] = "D";
	CharacterCodes[CharacterCodes["E"] = 69] = "E";
	CharacterCodes[CharacterCodes["F"] = 70] = "F";
	CharacterCodes[CharacterCodes["G"] = 71] = "G";
	CharacterCodes[CharacterCodes["H"] = 72] = "H";
	CharacterCodes[CharacterCodes["I"] = 73] = "I";
	CharacterCodes[CharacterCodes["J"] = 74] = "J";
	CharacterCodes[CharacterCodes["K"] = 75] = "K";
	CharacterCodes[CharacterCodes["L"] = 76] = "L";
	CharacterCodes[CharacterCodes["M"] = 77] = "M";
	CharacterCodes[CharacterCodes["N"] = 78] = "N";
	CharacterCodes[CharacterCodes["O"] = 79] = "O";
	CharacterCodes[CharacterCodes["P"] = 80] = "P";
	CharacterCodes[CharacterCodes["Q"] = 81] = "Q";
	CharacterCodes[CharacterCodes["R"] = 82] = "R";
	CharacterCodes[CharacterCodes["S"] = 83] = "S";
	CharacterCodes[CharacterCodes["T"] = 84] = "T";
	CharacterCodes[CharacterCodes["U"] = 85] = "U";
	CharacterCodes[CharacterCodes["V"] = 86] = "V";
	CharacterCodes[CharacterCodes["W"] = 87] = "W";
	CharacterCodes[CharacterCodes["X"] = 88] = "X";
	CharacterCodes[CharacterCodes["Y"] = 89] = "Y";
	CharacterCodes[CharacterCodes["Z"] = 90] = "Z";
	CharacterCodes[CharacterCodes["asterisk"] = 42] = "asterisk";
	CharacterCodes[CharacterCodes["backslash"] = 92] = "backslash";
	CharacterCodes[CharacterCodes["closeBrace"] = 125] = "closeBrace";
	CharacterCodes[CharacterCodes["closeBracket"] = 93] = "closeBracket";
	CharacterCodes[CharacterCodes["colon"] = 58] = "colon";
	CharacterCodes[CharacterCodes["comma"] = 44] = "comma";
	CharacterCodes[CharacterCodes["dot"] = 46] = "dot";
	CharacterCodes[CharacterCodes["doubleQuote"] = 34] = "doubleQuote";
	CharacterCodes[CharacterCodes["minus"] = 45] = "minus";
	CharacterCodes[CharacterCodes["openBrace"] = 123] = "openBrace";
	CharacterCodes[CharacterCodes["openBracket"] = 91] = "openBracket";
	CharacterCodes[CharacterCodes["plus"] = 43] = "plus";
	CharacterCodes[CharacterCodes["slash"] = 47] = "slash";
	CharacterCodes[CharacterCodes["formFeed"] = 12] = "formFeed";
	CharacterCodes[CharacterCodes["tab"] = 9] = "tab";
})(CharacterCodes || (CharacterCodes = {}));
new Array(20).fill(0).map((_, index) => {
	return " ".repeat(index);
});
const maxCachedValues = 200;
new Array(maxCachedValues).fill(0).map((_, index) => {
	return "\n" + " ".repeat(index);
}), new Array(maxCachedValues).fill(0).map((_, index) => {
	return "\r" + " ".repeat(index);
}), new Array(maxCachedValues).fill(0).map((_, index) => {
	return "\r\n" + " ".repeat(index);
}), new Array(maxCachedValues).fill(0).map((_, index) => {
	return "\n" + "	".repeat(index);
}), new Array(maxCachedValues).fill(0).map((_, index) => {
	return "\r" + "	".repeat(index);
}), new Array(maxCachedValues).fill(0).map((_, index) => {
	return "\r\n" + "	".repeat(index);
});
// node_modules/jsonc-parser/lib/esm/impl/parser.js
var ParseOptions;
(function(ParseOptions) {
	ParseOptions.DEFAULT = { allowTrailingComma: false };
})(ParseOptions || (ParseOptions = {}));
function visit$1(text, visitor, options = ParseOptions.DEFAULT) {
	const _scanner = createScanner(text, false);
	const _jsonPath = [];
	let suppressedCallbacks = 0;
	function toNoArgVisit(visitFunction) {
		return visitFunction ? () => suppressedCallbacks === 0 && visitFunction(_scanner.getTokenOffset(), _scanner.getTokenLength(), _scanner.getTokenStartLine(), _scanner.getTokenStartCharacter()) : () => true;
	}
	function toOneArgVisit(visitFunction) {
		return visitFunction ? (arg) => suppressedCallbacks === 0 && visitFunction(arg, _scanner.getTokenOffset(), _scanner.getTokenLength(), _scanner.getTokenStartLine(), _scanner.getTokenStartCharacter()) : () => true;
	}
	function toOneArgVisitWithPath(visitFunction) {
		return visitFunction ? (arg) => suppressedCallbacks === 0 && visitFunction(arg, _scanner.getTokenOffset(), _scanner.getTokenLength(), _scanner.getTokenStartLine(), _scanner.getTokenStartCharacter(), () => _jsonPath.slice()) : () => true;
	}
	function toBeginVisit(visitFunction) {
		return visitFunction ? () => {
			if (suppressedCallbacks > 0) suppressedCallbacks++;
			else if (visitFunction(_scanner.getTokenOffset(), _scanner.getTokenLength(), _scanner.getTokenStartLine(), _scanner.getTokenStartCharacter(), () => _jsonPath.slice()) === false) suppressedCallbacks = 1;
		} : () => true;
	}
	function toEndVisit(visitFunction) {
		return visitFunction ? () => {
			if (suppressedCallbacks > 0) suppressedCallbacks--;
			if (suppressedCallbacks === 0) visitFunction(_scanner.getTokenOffset(), _scanner.getTokenLength(), _scanner.getTokenStartLine(), _scanner.getTokenStartCharacter());
		} : () => true;
	}
	const onObjectBegin = toBeginVisit(visitor.onObjectBegin), onObjectProperty = toOneArgVisitWithPath(visitor.onObjectProperty), onObjectEnd = toEndVisit(visitor.onObjectEnd), onArrayBegin = toBeginVisit(visitor.onArrayBegin), onArrayEnd = toEndVisit(visitor.onArrayEnd), onLiteralValue = toOneArgVisitWithPath(visitor.onLiteralValue), onSeparator = toOneArgVisit(visitor.onSeparator), onComment = toNoArgVisit(visitor.onComment), onError = toOneArgVisit(visitor.onError);
	const disallowComments = options && options.disallowComments;
	const allowTrailingComma = options && options.allowTrailingComma;
	function scanNext() {
		while (true) {
			const token = _scanner.scan();
			switch (_scanner.getTokenError()) {
				case 4:
					handleError(14);
					break;
				case 5:
					handleError(15);
					break;
				case 3:
					handleError(13);
					break;
				case 1:
					if (!disallowComments) handleError(11);
					break;
				case 2:
					handleError(12);
					break;
				case 6: handleError(16);
			}
			switch (token) {
				case 12:
				case 13:
					if (disallowComments) handleError(10);
					else onComment();
					break;
				case 16:
					handleError(1);
					break;
				case 15:
				case 14: break;
				default: return token;
			}
		}
	}
	function handleError(error, skipUntilAfter = [], skipUntil = []) {
		onError(error);
		if (skipUntilAfter.length + skipUntil.length > 0) {
			let token = _scanner.getToken();
			while (token !== 17) {
				if (skipUntilAfter.indexOf(token) !== -1) {
					scanNext();
					break;
				} else if (skipUntil.indexOf(token) !== -1) break;
				token = scanNext();
			}
		}
	}
	function parseString(isValue) {
		const value = _scanner.getTokenValue();
		if (isValue) onLiteralValue(value);
		else {
			onObjectProperty(value);
			_jsonPath.push(value);
		}
		scanNext();
		return true;
	}
	function parseLiteral() {
		switch (_scanner.getToken()) {
			case 11:
				const tokenValue = _scanner.getTokenValue();
				let value = Number(tokenValue);
				if (isNaN(value)) {
					handleError(2);
					value = 0;
				}
				onLiteralValue(value);
				break;
			case 7:
				onLiteralValue(null);
				break;
			case 8:
				onLiteralValue(true);
				break;
			case 9:
				onLiteralValue(false);
				break;
			default: return false;
		}
		scanNext();
		return true;
	}
	function parseProperty() {
		if (_scanner.getToken() !== 10) {
			handleError(3, [], [2, 5]);
			return false;
		}
		parseString(false);
		if (_scanner.getToken() === 6) {
			onSeparator(":");
			scanNext();
			if (!parseValue()) handleError(4, [], [2, 5]);
		} else handleError(5, [], [2, 5]);
		_jsonPath.pop();
		return true;
	}
	function parseObject() {
		onObjectBegin();
		scanNext();
		let needsComma = false;
		while (_scanner.getToken() !== 2 && _scanner.getToken() !== 17) {
			if (_scanner.getToken() === 5) {
				if (!needsComma) handleError(4, [], []);
				onSeparator(",");
				scanNext();
				if (_scanner.getToken() === 2 && allowTrailingComma) break;
			} else if (needsComma) handleError(6, [], []);
			if (!parseProperty()) handleError(4, [], [2, 5]);
			needsComma = true;
		}
		onObjectEnd();
		if (_scanner.getToken() !== 2) handleError(7, [2], []);
		else scanNext();
		return true;
	}
	function parseArray() {
		onArrayBegin();
		scanNext();
		let isFirstElement = true;
		let needsComma = false;
		while (_scanner.getToken() !== 4 && _scanner.getToken() !== 17) {
			if (_scanner.getToken() === 5) {
				if (!needsComma) handleError(4, [], []);
				onSeparator(",");
				scanNext();
				if (_scanner.getToken() === 4 && allowTrailingComma) break;
			} else if (needsComma) handleError(6, [], []);
			if (isFirstElement) {
				_jsonPath.push(0);
				isFirstElement = false;
			} else _jsonPath[_jsonPath.length - 1]++;
			if (!parseValue()) handleError(4, [], [4, 5]);
			needsComma = true;
		}
		onArrayEnd();
		if (!isFirstElement) _jsonPath.pop();
		if (_scanner.getToken() !== 4) handleError(8, [4], []);
		else scanNext();
		return true;
	}
	function parseValue() {
		switch (_scanner.getToken()) {
			case 3: return parseArray();
			case 1: return parseObject();
			case 10: return parseString(true);
			default: return parseLiteral();
		}
	}
	scanNext();
	if (_scanner.getToken() === 17) {
		if (options.allowEmptyContent) return true;
		handleError(4, [], []);
		return false;
	}
	if (!parseValue()) {
		handleError(4, [], []);
		return false;
	}
	if (_scanner.getToken() !== 17) handleError(9, [], []);
	return true;
}
// node_modules/jsonc-parser/lib/esm/main.js
var ScanError;
(function(ScanError) {
	ScanError[ScanError["None"] = 0] = "None";
	ScanError[ScanError["UnexpectedEndOfComment"] = 1] = "UnexpectedEndOfComment";
	ScanError[ScanError["UnexpectedEndOfString"] = 2] = "UnexpectedEndOfString";
	ScanError[ScanError["UnexpectedEndOfNumber"] = 3] = "UnexpectedEndOfNumber";
	ScanError[ScanError["InvalidUnicode"] = 4] = "InvalidUnicode";
	ScanError[ScanError["InvalidEscapeCharacter"] = 5] = "InvalidEscapeCharacter";
	ScanError[ScanError["InvalidCharacter"] = 6] = "InvalidCharacter";
})(ScanError || (ScanError = {}));
var SyntaxKind;
(function(SyntaxKind) {
	SyntaxKind[SyntaxKind["OpenBraceToken"] = 1] = "OpenBraceToken";
	SyntaxKind[SyntaxKind["CloseBraceToken"] = 2] = "CloseBraceToken";
	SyntaxKind[SyntaxKind["OpenBracketToken"] = 3] = "OpenBracketToken";
	SyntaxKind[SyntaxKind["CloseBracketToken"] = 4] = "CloseBracketToken";
	SyntaxKind[SyntaxKind["CommaToken"] = 5] = "CommaToken";
	SyntaxKind[SyntaxKind["ColonToken"] = 6] = "ColonToken";
	SyntaxKind[SyntaxKind["NullKeyword"] = 7] = "NullKeyword";
	SyntaxKind[SyntaxKind["TrueKeyword"] = 8] = "TrueKeyword";
	SyntaxKind[SyntaxKind["FalseKeyword"] = 9] = "FalseKeyword";
	SyntaxKind[SyntaxKind["StringLiteral"] = 10] = "StringLiteral";
	SyntaxKind[SyntaxKind["NumericLiteral"] = 11] = "NumericLiteral";
	SyntaxKind[SyntaxKind["LineCommentTrivia"] = 12] = "LineCommentTrivia";
	SyntaxKind[SyntaxKind["BlockCommentTrivia"] = 13] = "BlockCommentTrivia";
	SyntaxKind[SyntaxKind["LineBreakTrivia"] = 14] = "LineBreakTrivia";
	SyntaxKind[SyntaxKind["Trivia"] = 15] = "Trivia";
	SyntaxKind[SyntaxKind["Unknown"] = 16] = "Unknown";
	SyntaxKind[SyntaxKind["EOF"] = 17] = "EOF";
})(SyntaxKind || (SyntaxKind = {}));
const visit = visit$1;
var ParseErrorCode;
(function(ParseErrorCode) {
	ParseErrorCode[ParseErrorCode["InvalidSymbol"] = 1] = "InvalidSymbol";
	ParseErrorCode[ParseErrorCode["InvalidNumberFormat"] = 2] = "InvalidNumberFormat";
	ParseErrorCode[ParseErrorCode["PropertyNameExpected"] = 3] = "PropertyNameExpected";
	ParseErrorCode[ParseErrorCode["ValueExpected"] = 4] = "ValueExpected";
	ParseErrorCode[ParseErrorCode["ColonExpected"] = 5] = "ColonExpected";
	ParseErrorCode[ParseErrorCode["CommaExpected"] = 6] = "CommaExpected";
	ParseErrorCode[ParseErrorCode["CloseBraceExpected"] = 7] = "CloseBraceExpected";
	ParseErrorCode[ParseErrorCode["CloseBracketExpected"] = 8] = "CloseBracketExpected";
	ParseErrorCode[ParseErrorCode["EndOfFileExpected"] = 9] = "EndOfFileExpected";
	ParseErrorCode[ParseErrorCode["InvalidCommentToken"] = 10] = "InvalidCommentToken";
	ParseErrorCode[ParseErrorCode["UnexpectedEndOfComment"] = 11] = "UnexpectedEndOfComment";
	ParseErrorCode[ParseErrorCode["UnexpectedEndOfString"] = 12] = "UnexpectedEndOfString";
	ParseErrorCode[ParseErrorCode["UnexpectedEndOfNumber"] = 13] = "UnexpectedEndOfNumber";
	ParseErrorCode[ParseErrorCode["InvalidUnicode"] = 14] = "InvalidUnicode";
	ParseErrorCode[ParseErrorCode["InvalidEscapeCharacter"] = 15] = "InvalidEscapeCharacter";
	ParseErrorCode[ParseErrorCode["InvalidCharacter"] = 16] = "InvalidCharacter";
})(ParseErrorCode || (ParseErrorCode = {}));
function printParseErrorCode(code) {
	switch (code) {
		case 1: return "InvalidSymbol";
		case 2: return "InvalidNumberFormat";
		case 3: return "PropertyNameExpected";
		case 4: return "ValueExpected";
		case 5: return "ColonExpected";
		case 6: return "CommaExpected";
		case 7: return "CloseBraceExpected";
		case 8: return "CloseBracketExpected";
		case 9: return "EndOfFileExpected";
		case 10: return "InvalidCommentToken";
		case 11: return "UnexpectedEndOfComment";
		case 12: return "UnexpectedEndOfString";
		case 13: return "UnexpectedEndOfNumber";
		case 14: return "InvalidUnicode";
		case 15: return "InvalidEscapeCharacter";
		case 16: return "InvalidCharacter";
	}
	return "<unknown ParseErrorCode>";
}
// node_modules/smol-toml/dist/error.js
/*!
* Copyright (c) Squirrel Chat et al., All rights reserved.
* SPDX-License-Identifier: BSD-3-Clause
*
* Redistribution and use in source and binary forms, with or without
* modification, are permitted provided that the following conditions are met:
*
* 1. Redistributions of source code must retain the above copyright notice, this
*    list of conditions and the following disclaimer.
* 2. Redistributions in binary form must reproduce the above copyright notice,
*    this list of conditions and the following disclaimer in the
*    documentation and/or other materials provided with the distribution.
* 3. Neither the name of the copyright holder nor the names of its contributors
*    may be used to endorse or promote products derived from this software without
*    specific prior written permission.
*
* THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS" AND
* ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED
* WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE
* DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE LIABLE
* FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL
* DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR
* SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER
* CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY,
* OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE
* OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.
*/
function getLineColFromPtr(string, ptr) {
	let lines = string.slice(0, ptr).split(/\r?\n/);
	return [lines.length, lines.pop().length + 1];
}
function makeCodeBlock(string, line, column) {
	let lines = string.split(/\r?\n/);
	let codeblock = "";
	let numberLen = (Math.log10(line + 1) | 0) + 1;
	for (let i = line - 1; i <= line + 1; i++) {
		let l = lines[i - 1];
		if (!l) continue;
		codeblock += i.toString().padEnd(numberLen, " ");
		codeblock += ":  ";
		codeblock += l;
		codeblock += "\n";
		if (i === line) {
			codeblock += " ".repeat(numberLen + column + 2);
			codeblock += "^\n";
		}
	}
	return codeblock;
}
var TomlError = class TomlError extends Error {
	line;
	column;
	codeblock;
	constructor(message, options) {
		const [line, column] = getLineColFromPtr(options.toml, options.ptr);
		const codeblock = makeCodeBlock(options.toml, line, column);
		super(`Invalid TOML document: ${message}\n\n${codeblock}`, options);
		this.line = line;
		this.column = column;
		this.codeblock = codeblock;
	}
	static x(message, ctx, ptr) {
		throw new TomlError(message, {
			toml: ctx.s,
			ptr: ptr ?? ctx.p
		});
	}
};
// node_modules/smol-toml/dist/primitive.js
/*!
* Copyright (c) Squirrel Chat et al., All rights reserved.
* SPDX-License-Identifier: BSD-3-Clause
*
* Redistribution and use in source and binary forms, with or without
* modification, are permitted provided that the following conditions are met:
*
* 1. Redistributions of source code must retain the above copyright notice, this
*    list of conditions and the following disclaimer.
* 2. Redistributions in binary form must reproduce the above copyright notice,
*    this list of conditions and the following disclaimer in the
*    documentation and/or other materials provided with the distribution.
* 3. Neither the name of the copyright holder nor the names of its contributors
*    may be used to endorse or promote products derived from this software without
*    specific prior written permission.
*
* THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS" AND
* ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED
* WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE
* DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE LIABLE
* FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL
* DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR
* SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER
* CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY,
* OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE
* OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.
*/
function parseString(ctx) {
	let startPtr = ctx.p;
	let c = ctx.s.charCodeAt(ctx.p++);
	let first = c;
	let isLiteral = c === 39;
	let isMultiline = c === ctx.s.charCodeAt(ctx.p) && c === ctx.s.charCodeAt(ctx.p + 1);
	if (isMultiline) {
		if ((c = ctx.s.charCodeAt(ctx.p += 2)) === 10) ctx.p++;
		else if (c === 13 && ctx.s.charCodeAt(ctx.p + 1) === 10) ctx.p += 2;
	}
	let parsed = "";
	let sliceStart = ctx.p;
	let state = 0;
	for (; ctx.p < ctx.s.length; ctx.p++) {
		c = ctx.s.charCodeAt(ctx.p);
		if (isMultiline && (c === 10 || c === 13 && ctx.s.charCodeAt(ctx.p + 1) === 10)) state = state && 3;
		else if (c < 32 && c !== 9 || c === 127) TomlError.x("control characters are not allowed in strings", ctx);
		else if ((!state || state === 3) && c === first && (!isMultiline || ctx.s.charCodeAt(ctx.p + 1) === first && ctx.s.charCodeAt(ctx.p + 2) === first)) {
			if (isMultiline) {
				if (ctx.s.charCodeAt(ctx.p + 3) === first) ctx.p++;
				if (ctx.s.charCodeAt(ctx.p + 3) === first) ctx.p++;
			}
			if (!state) {
				let s = ctx.s.slice(sliceStart, ctx.p);
				parsed = parsed ? parsed + s : s;
			}
			ctx.p += isMultiline ? 3 : 1;
			return parsed;
		} else if (!state) {
			if (!isLiteral && c === 92) {
				parsed += ctx.s.slice(sliceStart, sliceStart = ctx.p);
				state = 1;
			}
		} else if (state === 1) {
			if (c === 120 || c === 117 || c === 85) {
				let errPtr = ctx.p++ - 1;
				let value = 0;
				let len = c === 120 ? 2 : c === 117 ? 4 : 8;
				for (let j = 0; j < len; j++, ctx.p++) {
					let hex = ctx.s.charCodeAt(ctx.p);
					let digit = hex >= 48 && hex <= 57 ? hex - 48 : hex >= 65 && hex <= 70 ? hex - 65 + 10 : hex >= 97 && hex <= 102 ? hex - 97 + 10 : -1;
					if (digit < 0) TomlError.x("invalid non-hex character in unicode escape", ctx);
					value = value << 4 | digit;
				}
				if (value < 0 || value > 1114111 || value >= 55296 && value <= 57343) TomlError.x("invalid unicode escape", ctx, errPtr);
				parsed += String.fromCodePoint(value);
				sliceStart = ctx.p--;
				state = 0;
			} else if (isMultiline && (c === 32 || c === 9)) state = 2;
			else {
				if (c === 98) parsed += "\b";
				else if (c === 116) parsed += "	";
				else if (c === 110) parsed += "\n";
				else if (c === 102) parsed += "\f";
				else if (c === 114) parsed += "\r";
				else if (c === 101) parsed += "\x1B";
				else if (c === 34) parsed += "\"";
				else if (c === 92) parsed += "\\";
				else TomlError.x("unrecognised escape sequence", ctx);
				sliceStart = ctx.p + 1;
				state = 0;
			}
		} else if (c !== 32 && c !== 9) {
			if (state === 2) TomlError.x("invalid escape: only line-ending whitespace may be escaped", ctx, sliceStart);
			state = !isLiteral && c === 92 ? 1 : 0;
			sliceStart = ctx.p;
		}
	}
	TomlError.x("unfinished string", ctx, startPtr);
}
// node_modules/smol-toml/dist/date.js
/*!
* Copyright (c) Squirrel Chat et al., All rights reserved.
* SPDX-License-Identifier: BSD-3-Clause
*
* Redistribution and use in source and binary forms, with or without
* modification, are permitted provided that the following conditions are met:
*
* 1. Redistributions of source code must retain the above copyright notice, this
*    list of conditions and the following disclaimer.
* 2. Redistributions in binary form must reproduce the above copyright notice,
*    this list of conditions and the following disclaimer in the
*    documentation and/or other materials provided with the distribution.
* 3. Neither the name of the copyright holder nor the names of its contributors
*    may be used to endorse or promote products derived from this software without
*    specific prior written permission.
*
* THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS" AND
* ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED
* WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE
* DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE LIABLE
* FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL
* DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR
* SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER
* CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY,
* OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE
* OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.
*/
let DATE_TIME_RE = /^(\d{4}-\d{2}-\d{2})?[Tt ]?(?:(\d{2}):\d{2}(?::\d{2}(?:\.\d+)?)?)?(Z|z|[-+]\d{2}:\d{2})?$/i;
var TomlDate = class TomlDate extends Date {
	#hasDate = false;
	#hasTime = false;
	#offset = null;
	constructor(date, fasttype, unsafeDelim) {
		let hasDate = true;
		let hasTime = true;
		let offset = "Z";
		let c;
		if (typeof date === "string") {
			if (fasttype) prep: {
				if (fasttype < 3) {
					if (+date.slice(11, 13) > 23) {
						date = "";
						break prep;
					}
					if (fasttype === 2) {
						offset = null;
						date += "Z";
					} else if ((c = date.charCodeAt(date.length - 1)) !== 90 && c !== 122) offset = date.slice(date.length - 6);
					if (unsafeDelim) date = date.slice(0, 10) + "T" + date.slice(11);
				} else if (fasttype === 4) date = +date.slice(0, 2) > 23 ? "" : `0000-01-01T${date}Z`;
				hasDate = fasttype !== 4;
				hasTime = fasttype !== 3;
			}
			else {
				let match = date.match(DATE_TIME_RE);
				if (match) {
					if (!match[1]) {
						hasDate = false;
						date = `0000-01-01T${date}`;
					}
					hasTime = !!match[2];
					hasTime && date[10] === " " && (date = date.replace(" ", "T"));
					if (match[2] && +match[2] > 23) date = "";
					else {
						offset = match[3] || null;
						if (!offset && hasTime) date += "Z";
					}
				} else date = "";
			}
		}
		super(date);
		if (!isNaN(this.getTime())) {
			this.#hasDate = hasDate;
			this.#hasTime = hasTime;
			this.#offset = offset;
		}
	}
	isDateTime() {
		return this.#hasDate && this.#hasTime;
	}
	isLocal() {
		return !this.#hasDate || !this.#hasTime || !this.#offset;
	}
	isDate() {
		return this.#hasDate && !this.#hasTime;
	}
	isTime() {
		return this.#hasTime && !this.#hasDate;
	}
	isValid() {
		return this.#hasDate || this.#hasTime;
	}
	toISOString() {
		let iso = super.toISOString();
		if (this.isDate()) return iso.slice(0, 10);
		if (this.isTime()) return iso.slice(11, 23);
		if (this.#offset === null) return iso.slice(0, -1);
		if (this.#offset === "Z" || this.#offset === "z") return iso;
		let offset = +this.#offset.slice(1, 3) * 60 + +this.#offset.slice(4, 6);
		offset = this.#offset[0] === "-" ? offset : -offset;
		return new Date(this.getTime() - offset * 6e4).toISOString().slice(0, -1) + this.#offset;
	}
	static wrapAsOffsetDateTime(jsDate, offset = "Z") {
		let date = new TomlDate(jsDate);
		date.#offset = offset;
		return date;
	}
	static wrapAsLocalDateTime(jsDate) {
		let date = new TomlDate(jsDate);
		date.#offset = null;
		return date;
	}
	static wrapAsLocalDate(jsDate) {
		let date = new TomlDate(jsDate);
		date.#hasTime = false;
		date.#offset = null;
		return date;
	}
	static wrapAsLocalTime(jsDate) {
		let date = new TomlDate(jsDate);
		date.#hasDate = false;
		date.#offset = null;
		return date;
	}
};
// node_modules/smol-toml/dist/extract.js
/*!
* Copyright (c) Squirrel Chat et al., All rights reserved.
* SPDX-License-Identifier: BSD-3-Clause
*
* Redistribution and use in source and binary forms, with or without
* modification, are permitted provided that the following conditions are met:
*
* 1. Redistributions of source code must retain the above copyright notice, this
*    list of conditions and the following disclaimer.
* 2. Redistributions in binary form must reproduce the above copyright notice,
*    this list of conditions and the following disclaimer in the
*    documentation and/or other materials provided with the distribution.
* 3. Neither the name of the copyright holder nor the names of its contributors
*    may be used to endorse or promote products derived from this software without
*    specific prior written permission.
*
* THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS" AND
* ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED
* WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE
* DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE LIABLE
* FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL
* DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR
* SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER
* CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY,
* OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE
* OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.
*/
function isDigit(char, base = 10) {
	return base === 16 ? char > 47 && char < 58 || char > 64 && char < 71 || char > 96 && char < 103 : char > 47 && char < 48 + base;
}
function isEndOfValue(char, delim) {
	return char === 32 || char === 9 || char === 10 || char === 13 || delim && (char === delim || char === 44) || char === 35;
}
function extractValue(ctx, end) {
	let errPtr = ctx.p;
	let c = ctx.s.charCodeAt(ctx.p);
	if (c === 91 || c === 123) {
		ctx.d-- || TomlError.x("document contains excessively nested structures. aborting.", ctx);
		let value = c === 91 ? parseArray(ctx) : parseInlineTable(ctx);
		ctx.d++;
		return value;
	}
	if (c === 34 || c === 39) return parseString(ctx);
	if (c === 116) {
		if (ctx.s.charCodeAt(++ctx.p) !== 114 || ctx.s.charCodeAt(++ctx.p) !== 117 || ctx.s.charCodeAt(++ctx.p) !== 101) TomlError.x("invalid value", ctx, errPtr);
		return ctx.p++, true;
	}
	if (c === 102) {
		if (ctx.s.charCodeAt(++ctx.p) !== 97 || ctx.s.charCodeAt(++ctx.p) !== 108 || ctx.s.charCodeAt(++ctx.p) !== 115 || ctx.s.charCodeAt(++ctx.p) !== 101) TomlError.x("invalid value", ctx, errPtr);
		return ctx.p++, false;
	}
	if (c === 43 || c === 45) return parseNumber(ctx, ctx.p, ctx.s.charCodeAt(++ctx.p), 44 - c, end);
	if (ctx.s.charCodeAt(ctx.p + 4) === 45 && ctx.s.charCodeAt(ctx.p + 7) === 45) return parseDate(ctx, c, end);
	if (ctx.s.charCodeAt(ctx.p + 2) === 58) return parseTime(ctx, c, end);
	return parseNumber(ctx, ctx.p, c, 0, end);
}
function parseNumber(ctx, startPtr, startChr, sign, endChr) {
	let c = startChr;
	let state = 0;
	let hasUnderscores = false;
	if (c === 105) {
		if (ctx.s.charCodeAt(++ctx.p) !== 110 || ctx.s.charCodeAt(++ctx.p) !== 102) TomlError.x("invalid value", ctx, startPtr);
		return ctx.p++, (sign || 1) / 0;
	}
	if (c === 110) {
		if (ctx.s.charCodeAt(++ctx.p) !== 97 || ctx.s.charCodeAt(++ctx.p) !== 110) TomlError.x("invalid value", ctx, startPtr);
		return ctx.p++, NaN;
	}
	if (c === 48) {
		if (++ctx.p >= ctx.s.length || isEndOfValue(c = ctx.s.charCodeAt(ctx.p), endChr)) return ctx.bi === true ? 0n : 0;
		if (!sign) {
			if (c === 120) return parseIntegerBaseN(ctx, startPtr, 16, endChr);
			else if (c === 98) return parseIntegerBaseN(ctx, startPtr, 2, endChr);
			else if (c === 111) return parseIntegerBaseN(ctx, startPtr, 8, endChr);
		}
		if (c === 46) state = 2;
		else if (c === 101 || c === 69) state = 4;
		else TomlError.x("illegal leading zero", ctx, startPtr);
	} else if (!isDigit(c)) TomlError.x("invalid value", ctx, startPtr);
	while (++ctx.p < ctx.s.length && (c = ctx.s.charCodeAt(ctx.p), !isEndOfValue(c, endChr))) {
		if (!state) state = 1;
		if (c === 95) {
			if (!(state & 1)) TomlError.x("illegal underscore", ctx);
			state += 11;
			hasUnderscores = true;
		} else if (state === 1 && c === 46) state = 2;
		else if ((state === 1 || state === 3) && (c === 101 || c === 69)) state = 4;
		else if (state === 4 && (c === 43 || c === 45)) state = 6;
		else if (!isDigit(c)) TomlError.x(`illegal character in numeric literal`, ctx);
		else if (state > 9) state -= 11;
		else if (!(state & 1)) state++;
	}
	if (!state) {
		let val = (startChr - 48) * (sign || 1);
		return ctx.bi === true ? BigInt(val) : val;
	}
	if (!(state & 1)) TomlError.x("unfinished numeric value", ctx, startPtr);
	let str = ctx.s.slice(startPtr, ctx.p);
	if (hasUnderscores) str = str.replaceAll("_", "");
	return state > 1 ? parseFloat(str) : parseInteger(ctx, str, 10, startPtr);
}
function parseIntegerBaseN(ctx, startPtr, base, endChr) {
	let c, underscore = 1;
	while (++ctx.p < ctx.s.length && (c = ctx.s.charCodeAt(ctx.p), !isEndOfValue(c, endChr))) if (c === 95) {
		if (underscore & 1) TomlError.x("illegal underscore", ctx);
		underscore = 3;
	} else if (!isDigit(c, base)) TomlError.x(`illegal character in numeric literal`, ctx);
	else if (underscore & 1) underscore--;
	if (underscore & 1) TomlError.x("unfinished numeric value", ctx);
	let str = ctx.s.slice(startPtr + 2, ctx.p);
	if (underscore) str = str.replaceAll("_", "");
	return parseInteger(ctx, str, base, startPtr);
}
function parseInteger(ctx, str, base, startPtr) {
	if (ctx.bi !== true) int: {
		let val = parseInt(str, base);
		if (!Number.isSafeInteger(val)) {
			if (ctx.bi) break int;
			TomlError.x("integer value cannot be represented losslessly", ctx, startPtr);
		}
		return val;
	}
	return base === 10 ? BigInt(str) : BigInt((base === 2 ? "0b" : base === 8 ? "0o" : "0x") + str);
}
function parseDate(ctx, c, endChr) {
	let startPtr = ctx.p++, unsafeSeparator;
	if (!isDigit(c) || !isDigit(ctx.s.charCodeAt(ctx.p++)) || !isDigit(ctx.s.charCodeAt(ctx.p++)) || !isDigit(ctx.s.charCodeAt(ctx.p++))) return parseNumber(ctx, ctx.p = startPtr, c, 0, endChr);
	ctx.p += 5;
	if (!isDigit(ctx.s.charCodeAt(ctx.p++))) TomlError.x("invalid date-time: date part is malformed", ctx, startPtr);
	if (ctx.p >= ctx.s.length || ((c = ctx.s.charCodeAt(ctx.p)) !== 32 || (unsafeSeparator = true, !isDigit(ctx.s.charCodeAt(ctx.p + 1)))) && c !== 84 && c !== 116) return readDate(ctx, ctx.s.slice(startPtr, ctx.p), 3, false, startPtr);
	if (ctx.s.charCodeAt(ctx.p += 3) !== 58) TomlError.x("invalid date-time: time part is malformed", ctx, startPtr);
	if (ctx.s.charCodeAt(ctx.p += 3) === 58) ctx.p += 3;
	if (ctx.s.charCodeAt(ctx.p) === 46) while (isDigit(ctx.s.charCodeAt(++ctx.p)));
	if (c = ctx.s.charCodeAt(ctx.p)) {
		if (c === 90 || c === 122) return readDate(ctx, ctx.s.slice(startPtr, ++ctx.p), 1, unsafeSeparator, startPtr, "[+00:00]");
		if (c === 43 || c === 45) return readDate(ctx, ctx.s.slice(startPtr, ctx.p += 6), 1, unsafeSeparator, startPtr, !ctx.ld && "[" + ctx.s.slice(ctx.p - 6, ctx.p) + "]");
	}
	return readDate(ctx, ctx.s.slice(startPtr, ctx.p), 2, unsafeSeparator, startPtr);
}
function parseTime(ctx, c, endChr) {
	let start = ctx.p;
	if (!isDigit(c) || !isDigit(ctx.s.charCodeAt(++ctx.p))) return parseNumber(ctx, --ctx.p, c, 0, endChr);
	if (ctx.s.charCodeAt(ctx.p += 4) === 58) ctx.p += 3;
	if (ctx.s.charCodeAt(ctx.p) === 46) while (isDigit(ctx.s.charCodeAt(++ctx.p)));
	return readDate(ctx, ctx.s.slice(start, ctx.p), 4, false, start);
}
function readDate(ctx, str, type, unsafeDelim, errPtr, temporalSuffix) {
	if (ctx.ld) {
		let date = new TomlDate(str, type, unsafeDelim);
		if (!date.isValid()) TomlError.x("invalid date", ctx, errPtr);
		return date;
	}
	try {
		if (temporalSuffix) str += temporalSuffix;
		switch (type) {
			case 1: return Temporal.ZonedDateTime.from(str);
			case 2: return Temporal.PlainDateTime.from(str);
			case 3: return Temporal.PlainDate.from(str);
			case 4: return Temporal.PlainTime.from(str);
		}
	} catch (e) {
		TomlError.x(e instanceof Error ? e.message : "" + e, ctx, errPtr);
	}
}
// node_modules/smol-toml/dist/util.js
/*!
* Copyright (c) Squirrel Chat et al., All rights reserved.
* SPDX-License-Identifier: BSD-3-Clause
*
* Redistribution and use in source and binary forms, with or without
* modification, are permitted provided that the following conditions are met:
*
* 1. Redistributions of source code must retain the above copyright notice, this
*    list of conditions and the following disclaimer.
* 2. Redistributions in binary form must reproduce the above copyright notice,
*    this list of conditions and the following disclaimer in the
*    documentation and/or other materials provided with the distribution.
* 3. Neither the name of the copyright holder nor the names of its contributors
*    may be used to endorse or promote products derived from this software without
*    specific prior written permission.
*
* THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS" AND
* ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED
* WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE
* DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE LIABLE
* FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL
* DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR
* SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER
* CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY,
* OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE
* OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.
*/
function skipComment(ctx) {
	for (; ctx.p < ctx.s.length; ctx.p++) {
		let c = ctx.s.charCodeAt(ctx.p);
		if (c === 10) break;
		if (c === 13 && ctx.s.charCodeAt(ctx.p + 1) === 10) {
			ctx.p++;
			break;
		}
		if (c < 32 && c !== 9 || c === 127) TomlError.x("control characters are not allowed in comments", ctx);
	}
}
function skipVoid(ctx, banNewLines, banComments) {
	let c;
	while (ctx.p < ctx.s.length) {
		while (ctx.p < ctx.s.length && ((c = ctx.s.charCodeAt(ctx.p)) === 32 || c === 9 || !banNewLines && (c === 10 || c === 13 && ctx.s.charCodeAt(ctx.p + 1) === 10))) ctx.p++;
		if (banComments || c !== 35) break;
		skipComment(ctx);
	}
}
// node_modules/smol-toml/dist/struct.js
/*!
* Copyright (c) Squirrel Chat et al., All rights reserved.
* SPDX-License-Identifier: BSD-3-Clause
*
* Redistribution and use in source and binary forms, with or without
* modification, are permitted provided that the following conditions are met:
*
* 1. Redistributions of source code must retain the above copyright notice, this
*    list of conditions and the following disclaimer.
* 2. Redistributions in binary form must reproduce the above copyright notice,
*    this list of conditions and the following disclaimer in the
*    documentation and/or other materials provided with the distribution.
* 3. Neither the name of the copyright holder nor the names of its contributors
*    may be used to endorse or promote products derived from this software without
*    specific prior written permission.
*
* THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS" AND
* ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED
* WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE
* DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE LIABLE
* FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL
* DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR
* SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER
* CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY,
* OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE
* OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.
*/
function parseKey(ctx, end = 61) {
	let startPtr;
	let state = 0;
	let parsed = [];
	let sliceStart;
	let c = ctx.s.charCodeAt(startPtr = ctx.p);
	do
		if (c === end) {
			if (!state) TomlError.x("unexpected end of key", ctx);
			if (state === 1) parsed.push(ctx.s.slice(sliceStart, ctx.p));
			return ctx.p++, parsed;
		} else if (c === 46) {
			if (!state) TomlError.x("illegal empty bare key", ctx);
			if (state === 1) parsed.push(ctx.s.slice(sliceStart, ctx.p));
			state = 0;
		} else if (!state && (c === 34 || c === 39)) {
			if (c === ctx.s.charCodeAt(ctx.p + 1) && c === ctx.s.charCodeAt(ctx.p + 2)) TomlError.x("illegal quoted key: multiline strings are not allowed", ctx);
			parsed.push(parseString(ctx));
			state = 2;
			ctx.p--;
		} else if (c === 32 || c === 9) {
			if (state === 1) {
				parsed.push(ctx.s.slice(sliceStart, ctx.p));
				state = 2;
			}
		} else if (state === 2 || c < 48 && c !== 45 || c > 57 && c < 65 || c > 90 && c < 97 && c !== 95 || c > 122) TomlError.x("illegal character in key", ctx);
		else if (!state) {
			state = 1;
			sliceStart = ctx.p;
		}
	while (c = ctx.s.charCodeAt(++ctx.p));
	TomlError.x("incomplete key-value: cannot find end of key", ctx, startPtr);
}
function parseInlineTable(ctx) {
	let startPtr = ctx.p++;
	let res = Object.create(null);
	let seen = new Set();
	let c;
	while (ctx.p < ctx.s.length) {
		skipVoid(ctx);
		if ((c = ctx.s.charCodeAt(ctx.p)) === 125) {
			ctx.p++;
			return res;
		}
		let k;
		let t = res;
		let hasOwn = false;
		let errPtr = ctx.p;
		let key = parseKey(ctx);
		for (let i = 0; i < key.length; i++) {
			if (i) t = hasOwn ? t[k] : t[k] = Object.create(null);
			k = key[i];
			if ((hasOwn = Object.hasOwn(t, k)) && (typeof t[k] !== "object" || seen.has(t[k]))) TomlError.x("trying to redefine an already defined value", ctx, errPtr);
			let unsafe = k === "__proto__";
			if (ctx.uk && (unsafe || k === "constructor")) {
				t = ctx.uk !== 1 && TomlError.x("document contains an unsafe property", ctx, errPtr);
				break;
			}
			if (!hasOwn && unsafe) Object.defineProperty(t, k, {
				enumerable: true,
				configurable: true,
				writable: true
			});
		}
		if (hasOwn) TomlError.x("trying to redefine an already defined value", ctx, errPtr);
		skipVoid(ctx, true, true);
		let value = extractValue(ctx, 125);
		if (t && typeof (t[k] = value) === "object") seen.add(value);
		skipVoid(ctx);
		if ((c = ctx.s.charCodeAt(ctx.p++)) === 125) return res;
		if (c !== 44) TomlError.x("expected comma or end of structure", ctx, ctx.p - 1);
	}
	TomlError.x("unfinished table", ctx, startPtr);
}
function parseArray(ctx) {
	let startPtr = ctx.p++;
	let res = [];
	let c;
	while (ctx.p < ctx.s.length) {
		skipVoid(ctx);
		if ((c = ctx.s.charCodeAt(ctx.p)) === 93) {
			ctx.p++;
			return res;
		}
		res.push(extractValue(ctx, 93));
		skipVoid(ctx);
		if ((c = ctx.s.charCodeAt(ctx.p++)) === 93) return res;
		if (c !== 44) TomlError.x("expected comma or end of structure", ctx, ctx.p - 1);
	}
	TomlError.x("unfinished array", ctx, startPtr);
}
// node_modules/smol-toml/dist/parse.js
/*!
* Copyright (c) Squirrel Chat et al., All rights reserved.
* SPDX-License-Identifier: BSD-3-Clause
*
* Redistribution and use in source and binary forms, with or without
* modification, are permitted provided that the following conditions are met:
*
* 1. Redistributions of source code must retain the above copyright notice, this
*    list of conditions and the following disclaimer.
* 2. Redistributions in binary form must reproduce the above copyright notice,
*    this list of conditions and the following disclaimer in the
*    documentation and/or other materials provided with the distribution.
* 3. Neither the name of the copyright holder nor the names of its contributors
*    may be used to endorse or promote products derived from this software without
*    specific prior written permission.
*
* THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS" AND
* ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED
* WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE
* DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE LIABLE
* FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL
* DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR
* SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER
* CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY,
* OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE
* OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.
*/
function peekTable(ctx, key, table, meta, type) {
	let t = table;
	let m = meta;
	let k;
	let hasOwn = false;
	let state;
	for (let i = 0; i < key.length; i++) {
		if (i) {
			t = hasOwn ? t[k] : t[k] = Object.create(null);
			m = (state = m[k]).c;
			if (type === 0 && (state.t === 1 || state.t === 2)) return null;
			if (state.t === 2) {
				let l = t.length - 1;
				t = t[l];
				m = m[l].c;
			}
		}
		k = key[i];
		if ((hasOwn = Object.hasOwn(t, k)) && m[k]?.t === 0 && m[k]?.d) return null;
		if (!hasOwn) {
			let unsafe = k === "__proto__";
			if (ctx.uk && (unsafe || k === "constructor")) return false;
			if (unsafe) {
				Object.defineProperty(t, k, {
					enumerable: true,
					configurable: true,
					writable: true
				});
				Object.defineProperty(m, k, {
					enumerable: true,
					configurable: true,
					writable: true
				});
			}
			m[k] = {
				t: i < key.length - 1 && type === 2 ? 3 : type,
				d: false,
				i: 0,
				c: Object.create(null)
			};
		}
	}
	state = m[k];
	if (state.t !== type && !(type === 1 && state.t === 3)) return null;
	if (type === 2) {
		if (!state.d) {
			state.d = true;
			t[k] = [];
		}
		t[k].push(t = Object.create(null));
		state.c[state.i++] = state = {
			t: 1,
			d: false,
			i: 0,
			c: Object.create(null)
		};
	}
	if (state.d) return null;
	state.d = true;
	if (type === 1) t = hasOwn ? t[k] : t[k] = Object.create(null);
	else if (type === 0 && hasOwn) return null;
	return [
		k,
		t,
		state.c
	];
}
function validateTablePeek(ctx, peek, ptr) {
	if (peek === null || ctx.uk === 2) TomlError.x(peek === null ? "trying to redefine an already defined table or value" : "document contains an unsafe property", ctx, ptr);
}
function parse(toml, options = {}) {
	let ctx = {
		s: toml,
		p: 0,
		d: options.maxDepth ?? 1e3,
		bi: options.integersAsBigInt ?? false,
		ld: options.useLegacyDate ?? true,
		uk: options.unsafeKeyBehaviour === "throw" ? 2 : options.unsafeKeyBehaviour === "drop" ? 1 : 0
	};
	let res = Object.create(null);
	let meta = Object.create(null);
	let tmp;
	let skipping = false;
	let tbl = res;
	let m = meta;
	if (toml.charCodeAt(0) === 65279) ctx.p++;
	skipVoid(ctx);
	while (ctx.p < toml.length) {
		if (toml.charCodeAt(ctx.p) === 91) {
			let isTableArray = toml.charCodeAt(++ctx.p) === 91;
			tmp = ctx.p += +isTableArray;
			skipping = false;
			let k = parseKey(ctx, 93);
			if (isTableArray) {
				if (toml.charCodeAt(ctx.p) !== 93) TomlError.x("expected end of table array declaration", ctx);
				ctx.p++;
			}
			let p = peekTable(ctx, k, res, meta, isTableArray ? 2 : 1);
			if (!p) {
				validateTablePeek(ctx, p, tmp);
				skipping = true;
			} else {
				m = p[2];
				tbl = p[1];
			}
		} else {
			tmp = ctx.p;
			let p = peekTable(ctx, parseKey(ctx), tbl, m, 0);
			if (!p && !skipping) validateTablePeek(ctx, p, tmp);
			skipVoid(ctx, true, true);
			let v = extractValue(ctx, void 0);
			if (p && !skipping) p[1][p[0]] = v;
		}
		skipVoid(ctx, true);
		if (ctx.p < toml.length && (tmp = toml.charCodeAt(ctx.p)) !== 10 && (tmp !== 13 || toml.charCodeAt(ctx.p + 1) !== 10)) TomlError.x("each key-value declaration must be followed by an end-of-line", ctx);
		skipVoid(ctx);
	}
	return res;
}
/*!
* Copyright (c) Squirrel Chat et al., All rights reserved.
* SPDX-License-Identifier: BSD-3-Clause
*
* Redistribution and use in source and binary forms, with or without
* modification, are permitted provided that the following conditions are met:
*
* 1. Redistributions of source code must retain the above copyright notice, this
*    list of conditions and the following disclaimer.
* 2. Redistributions in binary form must reproduce the above copyright notice,
*    this list of conditions and the following disclaimer in the
*    documentation and/or other materials provided with the distribution.
* 3. Neither the name of the copyright holder nor the names of its contributors
*    may be used to endorse or promote products derived from this software without
*    specific prior written permission.
*
* THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS" AND
* ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED
* WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE
* DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE LIABLE
* FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL
* DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR
* SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER
* CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY,
* OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE
* OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.
*/
"".isWellFormed;
// node_modules/smol-toml/dist/index.js
/*!
* Copyright (c) Squirrel Chat et al., All rights reserved.
* SPDX-License-Identifier: BSD-3-Clause
*
* Redistribution and use in source and binary forms, with or without
* modification, are permitted provided that the following conditions are met:
*
* 1. Redistributions of source code must retain the above copyright notice, this
*    list of conditions and the following disclaimer.
* 2. Redistributions in binary form must reproduce the above copyright notice,
*    this list of conditions and the following disclaimer in the
*    documentation and/or other materials provided with the distribution.
* 3. Neither the name of the copyright holder nor the names of its contributors
*    may be used to endorse or promote products derived from this software without
*    specific prior written permission.
*
* THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS" AND
* ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED
* WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE
* DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE LIABLE
* FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL
* DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR
* SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER
* CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY,
* OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE
* OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.
*/
// src/read/document.ts
var DocumentError = class extends Error {
	line;
	constructor(message, line = null) {
		super(message);
		this.name = "DocumentError";
		this.line = line;
	}
};
const DEPTH$1 = 500;
function parseJson(text, { comments = false } = {}) {
	let root;
	const open = [];
	const put = (value) => {
		const parent = open.at(-1);
		if (parent === void 0) root = value;
		else if (Array.isArray(parent.value)) parent.value.push(value);
		else setOwn(parent.value, parent.key, value);
	};
	const begin = (value, offset) => {
		if (open.length >= DEPTH$1) throw new DocumentError(`it nests deeper than ${DEPTH$1}`, lineOf(text, offset));
		put(value);
		open.push({
			value,
			key: ""
		});
	};
	const end = () => {
		open.pop();
	};
	visit(text, {
		onObjectBegin: (offset) => begin({}, offset),
		onObjectEnd: end,
		onArrayBegin: (offset) => begin([], offset),
		onArrayEnd: end,
		onObjectProperty: (key, offset) => {
			const parent = open.at(-1);
			if (parent === void 0) return;
			if (Object.hasOwn(parent.value, key)) throw new DocumentError(`it has the key ${JSON.stringify(key.slice(0, 100))} twice`, lineOf(text, offset));
			parent.key = key;
		},
		onLiteralValue: put,
		onError: (code, offset) => {
			throw new DocumentError(`it is no JSON: ${said(printParseErrorCode(code))}`, lineOf(text, offset));
		}
	}, {
		disallowComments: !comments,
		allowTrailingComma: comments
	});
	return root;
}
function said(code) {
	return code.replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
}
function setOwn(table, key, value) {
	if (key !== "__proto__") table[key] = value;
	else Object.defineProperty(table, key, {
		value,
		enumerable: true,
		configurable: true,
		writable: true
	});
}
function parseToml(text) {
	try {
		return parse(text, { integersAsBigInt: "asNeeded" });
	} catch (error) {
		throw new DocumentError(`it is no TOML: ${(error instanceof Error ? error.message.split("\n", 1)[0] ?? "" : "").replace(/^Invalid TOML document: /, "")}`, error instanceof TomlError ? error.line : null);
	}
}
function parseYaml(text) {
	try {
		return loadAll(text, {
			schema: FAILSAFE_SCHEMA,
			maxAliases: 1e3,
			maxDepth: DEPTH$1
		}).filter((one) => one !== void 0 && one !== null && one !== "");
	} catch (error) {
		if (!(error instanceof YAMLException)) throw error;
		throw new DocumentError(`it is no YAML: ${error.reason}`, error.mark === void 0 ? null : error.mark.line + 1);
	}
}
function isTable(value) {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
function tableOf(value) {
	return isTable(value) ? value : {};
}
function listOf$1(value) {
	return Array.isArray(value) ? value : [];
}
function textOf(value) {
	return typeof value === "string" ? value : null;
}
// src/read/lockfile/format.ts
function requireTable(value, key) {
	if (isTable(value)) return value;
	throw new DocumentError(key === null ? "it is no table of keys and values" : `its \`${key}\` is no object`);
}
function requireList(table, key) {
	const value = table[key];
	if (Array.isArray(value)) return value;
	throw new DocumentError(value === void 0 ? `it has no \`${key}\`` : `its \`${key}\` is no list`);
}
// src/read/ecosystem.ts
const FOLDING = {
	python: {
		name: (name) => name.toLowerCase().replace(/[-_.]+/g, "-"),
		version: pep440$1
	},
	conda: { name: (name) => name.toLowerCase() },
	npm: {},
	go: {},
	cargo: {},
	ruby: {},
	php: {
		name: (name) => name.toLowerCase(),
		version: (version) => version.replace(/^v(?=\d)/, "")
	},
	hex: {},
	nuget: {
		name: (name) => name.toLowerCase(),
		version: nuget
	},
	maven: {},
	swift: { name: (name) => name.toLowerCase() },
	pub: {}
};
function foldName(ecosystem, name) {
	return (ecosystem === null ? void 0 : FOLDING[ecosystem].name)?.(name) ?? name;
}
function foldVersion(ecosystem, version) {
	return (ecosystem === null ? void 0 : FOLDING[ecosystem].version)?.(version) ?? version;
}
function nuget(version) {
	const match = /^(\d+(?:\.\d+){0,3})(-[^+]*)?(?:\+.*)?$/.exec(version);
	if (match === null) return version;
	const parts = (match[1] ?? "").split(".").map(digits);
	while (parts.length < 3) parts.push("0");
	if (parts.length === 4 && parts[3] === "0") parts.pop();
	return parts.join(".") + (match[2] ?? "").toLowerCase();
}
const PEP440 = /^v?(?:(\d+)!)?(\d+(?:\.\d+)*)(?:[-_.]?(alpha|a|beta|b|preview|pre|c|rc)[-_.]?(\d+)?)?(?:-(\d+)|[-_.]?(post|rev|r)[-_.]?(\d+)?)?([-_.]?dev[-_.]?(\d+)?)?(?:\+([a-z0-9]+(?:[-_.][a-z0-9]+)*))?$/;
const NORMAL = /^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*))*$/;
const PRE = {
	alpha: "a",
	a: "a",
	beta: "b",
	b: "b",
	c: "rc",
	rc: "rc",
	pre: "rc",
	preview: "rc"
};
function pep440$1(version) {
	if (NORMAL.test(version) && !version.endsWith(".0")) return version;
	const match = version.length > 128 ? null : PEP440.exec(version.trim().toLowerCase());
	if (match === null) return version;
	const [, epoch, release = "", pre, preNumber, postDash, post, postNumber, dev, devNumber, local] = match;
	const parts = release.split(".").map(digits);
	while (parts.length > 1 && parts.at(-1) === "0") parts.pop();
	return [
		epoch === void 0 || digits(epoch) === "0" ? "" : `${digits(epoch)}!`,
		parts.join("."),
		pre === void 0 ? "" : `${PRE[pre]}${digits(preNumber ?? "0")}`,
		postDash !== void 0 ? `.post${digits(postDash)}` : post === void 0 ? "" : `.post${digits(postNumber ?? "0")}`,
		dev === void 0 ? "" : `.dev${digits(devNumber ?? "0")}`,
		local === void 0 ? "" : `+${local.split(/[-_.]/).map(digits).join(".")}`
	].join("");
}
function digits(text) {
	return text.replace(/^0+(?=\d+$)/, "");
}
function withoutCredentials(url) {
	return url.replace(/:\/\/[^/?#\s]*@/g, "://");
}
// src/read/package.ts
function packageOf(name, version, { source = null, artefacts = [], conditional = false, local = false, direct = null, aliases = [] } = {}) {
	return {
		name,
		version,
		source,
		artefacts,
		conditional,
		local,
		direct,
		aliases
	};
}
function isPinned({ version, source, local }) {
	return version !== null || local || source !== null && !RANGE.test(source);
}
const RANGE = /^[(<>=!~]/;
function artefactsOf$1(hashes) {
	return hashes.filter((hash) => typeof hash === "string" && hash !== "").map((hash) => ({
		file: null,
		hash: hash ?? ""
	}));
}
function placeOf(url, commit = null) {
	const [bare = ""] = withoutCredentials(url).split(/[?#]/, 1);
	return commit === null ? bare : `${bare}#${commit}`;
}
function fileOf(url) {
	const [path = ""] = url.split(/[?#]/, 1);
	return path.slice(path.lastIndexOf("/") + 1) || null;
}
var PackageBuilder = class {
	#ecosystem;
	#packages = [];
	#notRead = [];
	constructor(ecosystem) {
		this.#ecosystem = ecosystem;
	}
	add(name, version, rest = {}) {
		this.#packages.push(packageOf(foldName(this.#ecosystem, name), version, rest));
	}
	skip(text, line = null) {
		this.#notRead.push({
			line,
			text: clip(text, 200)
		});
	}
	list() {
		return {
			ecosystem: this.#ecosystem,
			packages: this.#packages,
			notRead: this.#notRead
		};
	}
};
// src/read/installed/lines.ts
function readLines(ecosystem, text, read) {
	const packages = [];
	const notRead = [];
	text.split(/\r?\n/).forEach((line, index) => {
		if (line.trim() === "") return;
		const entry = read(line, index);
		if (entry === null) notRead.push({
			line: index + 1,
			text: clip(line.trim(), 200)
		});
		else if (entry !== "nothing") packages.push({
			...entry,
			name: foldName(ecosystem, entry.name)
		});
	});
	return {
		ecosystem,
		packages,
		notRead
	};
}
// src/read/installed/cargo.ts
function looksLikeCargoMetadata(text) {
	return /^\s*\{\s*"packages"\s*:\s*\[/.test(text) && text.includes("\"workspace_members\"");
}
function readCargoMetadata(text) {
	const found = new PackageBuilder("cargo");
	for (const entry of requireList(requireTable(parseJson(text), null), "packages").map(tableOf)) {
		const { name, version, source } = entry;
		if (typeof name !== "string" || typeof version !== "string") {
			found.skip("a package without name or version");
			continue;
		}
		const elsewhere = typeof source === "string" && !/^(?:registry|sparse)\+/.test(source);
		found.add(name, version, {
			source: elsewhere ? placeOf(source, /#([0-9a-f]+)$/.exec(source)?.[1] ?? null) : null,
			local: typeof source !== "string"
		});
	}
	return found.list();
}
const CRATE = /^[│├└─|`\s-]*([\w-]+) v(\d\S*)((?: \([^)]*\))*)$/;
function looksLikeCargoTree(text) {
	const lines = text.slice(0, 2e4).split(/\r?\n/).slice(0, 50).filter((line) => line.trim() !== "");
	return lines.length > 0 && lines.filter((line) => CRATE.test(line)).length > lines.length / 2;
}
function readCargoTree(text) {
	return readLines("cargo", text, (line) => {
		if (/^[│\s]*\[(?:build|dev)-dependencies\]$/.test(line)) return "nothing";
		const [, name, version = "", rest = ""] = CRATE.exec(line) ?? [];
		if (name === void 0) return null;
		const place = [...rest.matchAll(/\(([^)]*)\)/g)].map((one) => one[1] ?? "").find((one) => /[/\\]/.test(one));
		const elsewhere = place?.includes("://") ? place : null;
		return packageOf(name, version, {
			local: place !== void 0 && elsewhere === null,
			source: elsewhere === null ? null : placeOf(elsewhere, /#([0-9a-f]+)$/.exec(elsewhere)?.[1] ?? null)
		});
	});
}
// src/read/installed/composer.ts
function looksLikeComposerJson(text) {
	return /^\s*\{\s*"installed"\s*:\s*\[/.test(text);
}
function readComposerJson(text) {
	const found = new PackageBuilder("php");
	for (const { name, version } of listOf$1(tableOf(parseJson(text)).installed).map(tableOf)) if (typeof name === "string" && typeof version === "string") found.add(name, withoutCommit(version));
	else found.skip(textOf(name) ?? "an entry without name");
	return found.list();
}
const LINE$2 = /^([a-z0-9][\w.-]*\/[\w.-]+)\s+(v?\d\S*|dev-\S+)(?: [0-9a-f]{7,40})?(?:\s.*)?$/i;
function looksLikeComposer(text) {
	const lines = text.slice(0, 2e4).split(/\r?\n/).filter((line) => line.trim() !== "").slice(0, 20);
	return lines.length > 0 && lines.every((line) => LINE$2.test(line));
}
function readComposer(text) {
	return readLines("php", text, (line) => {
		const [, name, version] = LINE$2.exec(line.trim()) ?? [];
		return name === void 0 ? null : packageOf(name, version ?? null);
	});
}
function withoutCommit(version) {
	return version.replace(/ [0-9a-f]{7,40}$/, "");
}
// src/read/installed/gems.ts
const HEADING$1 = "Gems included by the bundle:";
function looksLikeGems(text) {
	return text.trimStart().startsWith(HEADING$1);
}
function readGems(text) {
	return readLines("ruby", text, (line) => {
		if (line.trim() === HEADING$1 || /^Use `bundle info`/.test(line)) return "nothing";
		const match = /^\s*\* ([\w.-]+) \((\d[\w.-]*)(?: [0-9a-f]{7,40})?\)$/.exec(line);
		return match === null ? null : packageOf(match[1] ?? "", match[2] ?? null);
	});
}
// src/read/installed/go.ts
const LINE$1 = /^([\w.~-]+(?:\/[\w.~-]+)*)(?: (v\d\S*))?(?: => (\S+)(?: (v\d\S*))?)?$/;
const BUILT = "# go list -deps -test";
function looksLikeGoDeps(text) {
	return text.startsWith(BUILT);
}
function readGoList(text) {
	return readLines("go", text, (line) => {
		if (line.startsWith(BUILT)) return "nothing";
		const match = LINE$1.exec(line.trim());
		if (match === null) return null;
		const [, name = "", version, replacement, replaced] = match;
		if (replacement !== void 0 && replaced !== void 0) return packageOf(replacement, replaced);
		return packageOf(name, version ?? null, { local: version === void 0 || replacement !== void 0 });
	});
}
function looksLikeGoList(text) {
	const lines = text.slice(0, 2e4).split(/\r?\n/).map((line) => line.trim()).filter((line) => line !== "").slice(0, 50);
	const versions = lines.some((line) => / v\d/.test(line));
	return lines.every((line) => LINE$1.test(line)) && (versions || lines.length === 1 && /^\w[^/]*\.[^/]*\//.test(lines[0] ?? ""));
}
function looksLikeGoBinary(text) {
	return /^\tmod\t\S+\t/m.test(text.slice(0, 2e4));
}
function readGoBinary(text) {
	const found = new PackageBuilder("go");
	const lines = text.split(/\r?\n/);
	for (const [index, line] of lines.entries()) {
		const [, kind, name = "", version = ""] = /^\t(\w+|=>)\t(\S+)(?:\t(\S+))?/.exec(line) ?? [];
		if (kind === "mod") found.add(name, null, { local: true });
		else if (kind === "=>") found.add(name, version || null, { local: !/^v\d/.test(version) });
		else if (kind === "dep" && !lines[index + 1]?.startsWith("	=>	")) found.add(name, version);
		else if (kind === void 0 && line.trim() !== "" && !/: go\d/.test(line)) found.skip(line, index + 1);
	}
	return found.list();
}
// src/read/installed/npm.ts
const BRANCH = /^[│├└|+` ][│├└─┬|+` -]*[─┬-] /;
function looksLikeNpmTree(text) {
	return /^(?:[├└]─[─┬]|[+`]--) (?:\(empty\)|(?:UNMET [A-Z ]*DEPENDENCY )?[^\s@]\S*@\S|@\S+@\S)/m.test(text);
}
function readNpmTree(text) {
	return readLines("npm", text, (raw, index) => {
		const branch = BRANCH.exec(raw);
		if (branch === null) return index === 0 ? "nothing" : null;
		const line = raw.slice(branch[0].length).trim();
		if (line === "(empty)" || / deduped\b/.test(line) || /^UNMET [A-Z ]*DEPENDENCY /.test(line)) return "nothing";
		const match = /^(@?[^@\s]+)@(?:npm:(@?[^@\s]+)@)?(\S+)/.exec(line);
		return match === null ? null : packageOf(match[2] ?? match[1] ?? "", match[3] ?? null, { local: / -> |@(?:workspace|file|link):/.test(line) });
	});
}
const PARSEABLE = /^.*?[\\/]?node_modules[\\/][^:]*:(@?[^@:\s]+)@(?:npm:(@?[^@:\s]+)@)?([^@:\s]+)(:.*)?$/;
function looksLikeNpmParseable(text) {
	return text.slice(0, 2e4).split(/\r?\n/, 3).some((line) => PARSEABLE.test(line));
}
function readNpmParseable(text) {
	return readLines("npm", text, (line, index) => {
		const match = PARSEABLE.exec(line);
		if (match === null) return index === 0 ? "nothing" : null;
		const [, key = "", named, version = "", elsewhere = ""] = match;
		return packageOf(named ?? key, version, { local: /^:(?:[/\\]|[A-Z]:)/.test(elsewhere) });
	});
}
function looksLikeNpmJson(text) {
	return /^\s*\{/.test(text) && /"dependencies"\s*:\s*\{/.test(text);
}
function readNpmJson(text) {
	const found = new PackageBuilder("npm");
	const open = [parseJson(text)];
	const local = new Set();
	const rest = [];
	for (let node = open.pop(); node !== void 0; node = open.pop()) for (const [key, entry] of Object.entries(tableOf(tableOf(node).dependencies))) {
		const { version, resolved } = tableOf(entry);
		const place = textOf(resolved) ?? "";
		const name = /\/((?:@[^/]+\/)?[^/@]+)\/-\//.exec(place)?.[1] ?? key;
		if (typeof version === "string") rest.push({
			name,
			version
		});
		else if (version !== void 0) found.skip(key);
		if (place.startsWith("file:")) local.add(`${name}@${version}`);
		open.push(entry);
	}
	for (const { name, version } of rest) found.add(name, version, { local: local.has(`${name}@${version}`) });
	return found.list();
}
// src/read/installed/pip.ts
const EDITABLE$1 = "Editable project location";
function looksLikePipList(text) {
	return /^Package +Version/.test(text);
}
function readPipList(text) {
	const head = text.split(/\r?\n/, 1)[0] ?? "";
	const start = head.indexOf(EDITABLE$1);
	const end = start === -1 || head.length === start + 25 ? void 0 : head.indexOf(" L", start);
	return readLines("python", text, (line, index) => {
		if (index === 0 || /^[-\s]+$/.test(line)) return "nothing";
		const [name = "", version = ""] = line.trim().split(/\s+/, 2);
		if (!/^[A-Za-z0-9][\w.-]*$/.test(name) || !/\d/.test(version)) return null;
		return packageOf(name, version, { local: start !== -1 && line.slice(start, end).trim() !== "" });
	});
}
function looksLikePipJson(text) {
	return /^\s*\[\s*\{\s*"name"\s*:\s*"[^"]*"\s*,\s*"version"\s*:/.test(text);
}
function readPipJson(text) {
	const found = new PackageBuilder("python");
	for (const entry of listOf$1(parseJson(text))) {
		const { name, version, editable_project_location } = tableOf(entry);
		if (typeof name !== "string" || typeof version !== "string") found.skip("an entry without name or version");
		else found.add(name, version, { local: editable_project_location !== void 0 });
	}
	return found.list();
}
function looksLikePipInspect(text) {
	return /^\s*\{/.test(text) && /"pip_version"\s*:/.test(text) && /"installed"\s*:\s*\[/.test(text);
}
function readPipInspect(text) {
	const found = new PackageBuilder("python");
	for (const entry of listOf$1(tableOf(parseJson(text)).installed).map(tableOf)) {
		const { name, version } = tableOf(entry.metadata);
		const direct = tableOf(entry.direct_url);
		const url = textOf(direct.url);
		const local = isTable(direct.dir_info) || (url?.startsWith("file:") ?? false);
		if (typeof name !== "string" || typeof version !== "string") found.skip("an entry without name or version");
		else found.add(name, version, {
			local,
			source: url === null || local ? null : placeOf(url, textOf(tableOf(direct.vcs_info).commit_id))
		});
	}
	return found.list();
}
// src/read/installed/pnpm.ts
const LISTS = [
	"dependencies",
	"devDependencies",
	"optionalDependencies",
	"unsavedDependencies"
];
function looksLikePnpmJson(text) {
	return /^\s*\[\s*\{/.test(text) && /"(?:devD|optionalD|unsavedD|d)ependencies"\s*:\s*\{/.test(text) && /"path"\s*:/.test(text);
}
function readPnpmJson(text) {
	const found = new PackageBuilder("npm");
	const open = [...listOf$1(parseJson(text))];
	for (let node = open.pop(); node !== void 0; node = open.pop()) for (const list of LISTS) for (const [key, entry] of Object.entries(tableOf(tableOf(node)[list]))) {
		const version = textOf(tableOf(entry).version);
		const local = /^(?:link|file):/.test(version ?? "");
		if (version === null) found.skip(key);
		else found.add(textOf(tableOf(entry).from) ?? key, local ? null : version, { local });
		open.push(entry);
	}
	return found.list();
}
const HEADING = /^(?:Legend: .*|(?:dev|optional|peer|not saved )?[dD]ependencies:|\d+ packages?\b.*)$/;
function looksLikePnpmTree(text) {
	return /^Legend: /m.test(text.slice(0, 1e3)) || /^(?:│ +)?(?:dev|optional)?[dD]ependencies:$/m.test(text);
}
function readPnpmTree(text) {
	return readLines("npm", text, (raw) => {
		const line = raw.replace(/^[│├└─┬\s]+/, "").trim();
		if (line === "" || HEADING.test(line) || /^\S+ (?:\/|[A-Z]:)/.test(line)) return "nothing";
		const [, name = "", reference = ""] = /^(@?[^@\s]+)[@ ](\S+)/.exec(line) ?? [];
		if (name === "") return null;
		if (/^(?:link|file|workspace):/.test(reference)) return packageOf(name, null, { local: true });
		const alias = /^(?:npm:)?(@?[^@]+)@(\d.*)$/.exec(reference);
		return alias === null ? packageOf(name, reference) : packageOf(alias[1] ?? name, alias[2] ?? null);
	});
}
// src/read/installed/yarn.ts
function looksLikeYarnList(text) {
	return /^yarn list v\d/m.test(text.slice(0, 1e3));
}
function readYarnList(text) {
	return readLines("npm", text, (raw) => {
		if (/^(?:yarn list v|Done in|warning |info )/.test(raw)) return "nothing";
		const match = /^[│├└─┬|`+\s-]+(@?[^@\s]+)@(.+)$/.exec(raw);
		if (match === null) return null;
		const [, name = "", version = ""] = match;
		return /^\d+\.\d+\.\d+[^\s]*$/.test(version) ? packageOf(name, version) : "nothing";
	});
}
function looksLikeYarnInfo(text) {
	return /^\{"value":"[^"]*","children":\{/.test(text);
}
function readYarnInfo(text) {
	return readLines("npm", text, (raw) => {
		const entry = tableOf(parsed(raw));
		const match = /^(@?[^@]+)@(?:virtual:[^#]*#)?(.*)$/s.exec(textOf(entry.value) ?? "");
		const version = textOf(tableOf(entry.children).Version);
		if (match === null || version === null) return null;
		return packageOf(match[1] ?? "", version, { local: /^(?:workspace|link|portal|file):/.test(match[2] ?? "") });
	});
}
function parsed(line) {
	try {
		return parseJson(line);
	} catch (error) {
		if (!(error instanceof DocumentError)) throw error;
		return null;
	}
}
// src/read/lockfile/requirements.ts
const REQUIREMENT = /^([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*(?:\[[^\]]*\])?\s*(.*)$/s;
const PIN = /^={2,3}\s*([^\s,;*]+)$/;
const OPTION = /^(?:-i|-f|--(?:index-url|extra-index-url|no-index|find-links|trusted-host|only-binary|no-binary|prefer-binary|pre|require-hashes|use-feature))\b/;
const INCLUDE = /^(?:-r|-c|--requirement|--constraint)\b/;
const EDITABLE = /^(?:-e|--editable)[\s=]\s*/;
const COMMENT = /(?:^|\s)#/;
function readRequirements(text) {
	const found = new PackageBuilder("python");
	const direct = directLines(text);
	let named = null;
	for (const { line, content } of logicalLines(text)) {
		named = editableComment(content) ?? named;
		const body = withoutComment(content);
		if (body === "" || OPTION.test(body)) continue;
		const read = INCLUDE.test(body) ? null : readRequirement(body, named);
		named = null;
		if (read === null) found.skip(withoutCredentials(body), line);
		else found.add(read.name, read.version, {
			...read,
			direct: read.local || direct === null ? null : direct.has(line)
		});
	}
	return found.list();
}
function directLines(text) {
	const direct = new Set();
	let start = 0;
	let commented = false;
	for (const { line, content } of logicalLines(text)) {
		const at = content.search(COMMENT);
		const comment = at === -1 ? "" : content.slice(at, at + 1e3).trim();
		const via = comment.replace(/^#\s+(?:via\b\s*)?/, "");
		commented ||= comment.startsWith("# via");
		if (!content.startsWith("#")) start = line;
		if (/^(?:-r |-c |\S+ \(.*(?:pyproject\.toml|setup\.(?:py|cfg)).*\))/.test(via)) direct.add(start);
	}
	return commented && !/^#.*\buv export\b/m.test(text.slice(0, 1e3)) ? direct : null;
}
function looksLikeRequirements(text, share = .95) {
	const lines = [...logicalLines(text.slice(0, 2e5))].map(({ content }) => withoutComment(content)).filter(Boolean);
	const fitting = lines.filter((line) => OPTION.test(line) || INCLUDE.test(line) || EDITABLE.test(line) || /^(?:[a-z+]+:\/\/|\.{0,2}[\\/])\S/.test(line) || /^[A-Za-z0-9][\w.-]*\s*(?:\[[^\]]*\]\s*)?(?:[=<>!~]=|[<>@;]|$)/.test(line));
	return fitting.some((line) => EDITABLE.test(line) || INCLUDE.test(line) || /^\w[^\s]*\s*[=<>~!@]/.test(line)) && fitting.length >= lines.length * share;
}
function* logicalLines(text) {
	let start = 0;
	let parts = [];
	const lines = text.split(/\r?\n/);
	for (let index = 0; index < lines.length; index++) {
		if (parts.length === 0) start = index + 1;
		const raw = lines[index] ?? "";
		const goesOn = raw.endsWith("\\") && !raw.trimStart().startsWith("#");
		parts.push(goesOn ? raw.slice(0, -1) : raw);
		if (goesOn && index < lines.length - 1) continue;
		yield {
			line: start,
			content: parts.join(" ").trim()
		};
		parts = [];
	}
}
function withoutComment(content) {
	const at = content.search(COMMENT);
	return at === -1 ? content : content.slice(0, at).trim();
}
function editableComment(content) {
	if (!/^# Editable (?:\w+ )?install\b/.test(content)) return null;
	const match = /\(([^()=\s]+)(?:==([^()\s]+))?\)/.exec(content);
	return match?.[1] === void 0 ? null : {
		name: match[1],
		version: match[2] ?? null
	};
}
function readPlace(body) {
	const { wanted, marker } = splitMarker(body.replace(/\s--[a-z-]+[= ]\S+/g, ""));
	const file = (wanted.split(/[?#]/, 1)[0] ?? "").split(/[\\/]/).findLast((part) => part !== "") ?? ".";
	const wheel = /^([A-Za-z0-9][\w.]*)-(\d[^-]*)(?:-.*\.whl|\.tar\.gz|\.zip)$/.exec(file.slice(0, 300));
	const path = isPath$1(wanted);
	if (/\s/.test(wanted) || path && !/^(?:file:|\.{0,2}[\\/]|[A-Z]:)/.test(wanted) && wheel === null) return null;
	const name = /[#&]egg=([\w.-]+)/.exec(wanted)?.[1] ?? wheel?.[1] ?? file;
	const source = path ? "a local path" : withoutCredentials(wanted);
	return {
		name,
		version: wheel?.[2] ?? null,
		source,
		artefacts: [],
		conditional: marker,
		local: path
	};
}
function readRequirement(body, named) {
	if (EDITABLE.test(body)) return readEditable(body.replace(EDITABLE, ""), named);
	const hashes = [...body.matchAll(/--hash[= ](\S{1,200})/g)].map((match) => match[1] ?? "");
	const match = REQUIREMENT.exec(body.replace(/\s--[a-z-]+[= ]\S+/g, ""));
	if (match === null || /^[A-Za-z0-9+]+:\/\//.test(body) || /^[^\s@<>=~!;]*[\\/]/.test(body)) return readPlace(body);
	const [, name = "", rest = ""] = match;
	const url = /^@\s*(\S+)/.exec(rest)?.[1];
	const { wanted, marker } = url === void 0 ? splitMarker(rest) : splitMarker(rest.replace(/^@\s*\S+/, ""));
	const entry = {
		name,
		version: null,
		source: null,
		artefacts: artefactsOf$1(hashes),
		conditional: marker,
		local: false
	};
	if (url !== void 0) {
		if (wanted !== "") return null;
		return isPath$1(url) ? {
			...entry,
			local: true
		} : {
			...entry,
			source: withoutCredentials(url)
		};
	}
	const pin = PIN.exec(wanted)?.[1];
	if (pin !== void 0) return {
		...entry,
		version: pin
	};
	if (wanted === "") return entry;
	return /^\(?\s*(?:[<>=!~]=|[<>])/.test(wanted) ? {
		...entry,
		source: wanted.replace(/\s+/g, "")
	} : null;
}
function splitMarker(text) {
	const at = text.indexOf(";");
	if (at === -1) return {
		wanted: text.trim(),
		marker: false
	};
	return {
		wanted: text.slice(0, at).trim(),
		marker: text.slice(at + 1).trim() !== ""
	};
}
function readEditable(target, named) {
	const egg = /[#&]egg=([\w.-]+)/.exec(target)?.[1];
	const folder = (target.endsWith("]") ? target.slice(0, target.lastIndexOf("[")) : target).split(/[\\/]/).findLast((part) => part !== "");
	const name = egg ?? named?.name ?? folder ?? ".";
	return {
		name: /^\.*$/.test(name) ? "(this project)" : name,
		version: named?.version ?? null,
		source: isPath$1(target) ? "a local path" : withoutCredentials(target),
		artefacts: [],
		conditional: false,
		local: true
	};
}
function isPath$1(target) {
	return target.startsWith("file:") || !target.includes("://");
}
// src/read/freeze.ts
const KEPT$1 = 50;
const FORMS = [
	{
		form: "cargo metadata",
		like: looksLikeCargoMetadata,
		read: readCargoMetadata
	},
	{
		form: "pip inspect",
		like: looksLikePipInspect,
		read: readPipInspect
	},
	{
		form: "pnpm ls --json",
		like: looksLikePnpmJson,
		read: readPnpmJson
	},
	{
		form: "pip list --format=json",
		like: looksLikePipJson,
		read: readPipJson
	},
	{
		form: "composer show --format=json",
		like: looksLikeComposerJson,
		read: readComposerJson
	},
	{
		form: "yarn info --json",
		like: looksLikeYarnInfo,
		read: readYarnInfo
	},
	{
		form: "npm ls --json",
		like: looksLikeNpmJson,
		read: readNpmJson
	},
	{
		form: "yarn list",
		like: looksLikeYarnList,
		read: readYarnList
	},
	{
		form: "pnpm ls",
		like: looksLikePnpmTree,
		read: readPnpmTree
	},
	{
		form: "cargo tree",
		like: looksLikeCargoTree,
		read: readCargoTree
	},
	{
		form: "npm ls",
		like: looksLikeNpmTree,
		read: readNpmTree
	},
	{
		form: "npm ls --parseable",
		like: looksLikeNpmParseable,
		read: readNpmParseable
	},
	{
		form: "bundle list",
		like: looksLikeGems,
		read: readGems
	},
	{
		form: "pip list",
		like: looksLikePipList,
		read: readPipList
	},
	{
		form: "go version -m",
		like: looksLikeGoBinary,
		read: readGoBinary
	},
	{
		form: "go list -deps",
		like: looksLikeGoDeps,
		read: readGoList
	},
	{
		form: "go list -m all",
		like: looksLikeGoList,
		read: readGoList
	},
	{
		form: "composer show",
		like: looksLikeComposer,
		read: readComposer
	},
	{
		form: "pip freeze",
		like: (text) => looksLikeRequirements(text, .5),
		read: readRequirements
	}
];
function readFreeze(file, bytes) {
	const { text } = decodeText(bytes);
	const form = FORMS.find(({ like }) => like(text)) ?? null;
	const list = listOf(text, form);
	const packages = {
		...list,
		packages: distinct(list.packages),
		notRead: clipEntries(list.notRead, KEPT$1)
	};
	return {
		file,
		form: form?.form ?? null,
		packages
	};
}
function listOf(text, form) {
	try {
		return form?.read(text) ?? {
			ecosystem: null,
			packages: [],
			notRead: linesOf$1(text)
		};
	} catch (error) {
		if (!(error instanceof DocumentError)) throw error;
		return {
			ecosystem: null,
			packages: [],
			notRead: [{
				line: error.line,
				text: `the text: ${error.message}`
			}]
		};
	}
}
function linesOf$1(text) {
	return text.split(/\r?\n/).flatMap((line, index) => line.trim() === "" ? [] : [{
		line: index + 1,
		text: clip(line.trim(), 200)
	}]);
}
function distinct(packages) {
	return [...new Map(packages.map((one) => [[
		one.name,
		one.version,
		one.source,
		one.local
	].join(" "), one])).values()];
}
// src/read/junit-case.ts
const MESSAGE = 300;
const MAY_FAIL = /^TEST_CASE tagged with !(?:mayfail|shouldfail)/;
function asResult(name, attributes) {
	const status = name === "failure" ? "failed" : name === "error" || name === "skipped" ? name : null;
	if (status === null) return null;
	const message = attributes.get("message") ?? "";
	const type = status === "skipped" ? attributes.get("type") : void 0;
	if (type === "pytest.xfail" && !message.startsWith("[NOTRUN]")) return {
		status: "expected",
		todo: false,
		message,
		text: ""
	};
	return {
		status,
		todo: type === "todo" || status === "skipped" && MAY_FAIL.test(message),
		message,
		text: ""
	};
}
function isAttempt(name) {
	return name === "flakyFailure" || name === "flakyError" || name === "rerunFailure" || name === "rerunError";
}
const RANKS = [
	"skipped",
	"expected",
	"failed",
	"error"
];
function worse(one, other) {
	if (one === null) return other;
	if (one.todo || other.todo) {
		const failure = [one, other].find(({ status }) => status !== "skipped");
		return failure === void 0 ? one : {
			...failure,
			status: "expected",
			todo: true
		};
	}
	return RANKS.indexOf(other.status) > RANKS.indexOf(one.status) ? other : one;
}
const STATED = new Map([
	...[
		"disabled",
		"notrun",
		"ignored",
		"suppressed",
		"skipped"
	].map((word) => [word, "skipped"]),
	...[
		"fail",
		"failed",
		"failure"
	].map((word) => [word, "failed"]),
	["error", "error"]
]);
function statedStatus(attributes) {
	const status = attributes.get("status");
	const result = attributes.get("result");
	if (status === void 0 && result === void 0) return "passed";
	const [one, other] = [status, result].map((word) => STATED.get((word ?? "").toLowerCase()));
	return (one === "skipped" ? other ?? one : one ?? other) ?? "passed";
}
const EMPTY = /^(?:true|failed|skipped|collection (?:skipped|failure))?$/i;
function firstLine({ message, text }) {
	const pytest = /^collection (skipped|failure)$/.exec(message)?.[1];
	if (pytest === "skipped") return shown(text.split("Skipped: ")[1]?.replace(/["']\)$/, "") ?? text);
	if (pytest === "failure") return shown(/^E +(.*)$/m.exec(text)?.[1] ?? text);
	return (EMPTY.test(message.trim()) ? null : shown(message)) ?? shown(text);
}
function shown(text) {
	const line = text.slice(0, 4096).split("\n").find((one) => one.trim() !== "" && !/^\s*(?:(?:===|---) |PASS$|FAIL$)/.test(one));
	return line === void 0 ? null : clip(line.trim(), MESSAGE);
}
// src/read/junit-identity.ts
const BETWEEN = " › ";
const PATH = 512;
const SHOWN$1 = 1e3;
function suitePath(outer, name) {
	const path = stablePath(unescaped$1(name.trim().replace(/-\d{14}$/, "")));
	const whole = outer === "" ? path : outer + BETWEEN + path;
	if (whole.length <= PATH) return whole;
	return `${clip(whole, 448)}${createHash("sha256").update(whole).digest("hex").slice(0, 32)}`;
}
function identify(suites, project, writtenClass, writtenName) {
	const classname = writtenClass.trim();
	const written = unescaped$1(writtenName.trim());
	const name = project !== "" && written.startsWith(`[${project}] `) ? written.slice(project.length + 3) : written;
	if (isPytest(suites)) return {
		scope: classname,
		name,
		hollow: false
	};
	const hollow = classname === "test" && suites === "" && isPath(name);
	const [scope, own] = hollow ? ["", baseName(name)] : scopeAndName(suites, classname, name);
	return {
		scope: project === "" ? scope : `[${project}]${scope === "" ? "" : ` ${scope}`}`,
		name: own,
		hollow
	};
}
function jestName(classname, name) {
	const [describes, title] = [classname.trim(), name.trim()];
	if (describes === "" || describes === "undefined" || title === describes) return title;
	if (title.startsWith(`${describes} `)) return title;
	return describes.endsWith(` ${title}`) ? describes : `${describes} ${title}`;
}
function caseId({ scope, name }) {
	return scope === "" ? name : `${scope}\u0000${name}`;
}
function shownName({ scope, name, suite }) {
	return clip(isPytest(suite) ? nodeId(scope, name) : scope === "" ? name : `${clip(scope, SHOWN$1)}${BETWEEN}${name}`, SHOWN$1);
}
function enclosingIds({ scope, name }) {
	if (scope === "") return [];
	const found = [];
	let parent = name.lastIndexOf("/");
	for (let level = 0; level < 4 && parent > 0; level++, parent = name.lastIndexOf("/", parent - 1)) found.push(caseId({
		scope,
		name: name.slice(0, parent)
	}));
	found.push(scope);
	const suite = scope.lastIndexOf(BETWEEN);
	if (suite !== -1) found.push(caseId({
		scope: scope.slice(0, suite),
		name: scope.slice(suite + 3)
	}));
	let dot = scope.lastIndexOf(".");
	for (let level = 0; level < 4 && dot > 0; level++, dot = scope.lastIndexOf(".", dot - 1)) found.push(scope.slice(0, dot));
	return found;
}
function scopeAndName(suites, classname, name) {
	if (classname === name || name.endsWith(` ${classname}`)) return ["", stablePath(name)];
	if (classname.endsWith(` ${name}`)) return ["", stablePath(classname)];
	if (classname === "test" && suites === "") return ["", name];
	if (!(classname === "" || classname === "test" || classname === suites.replaceAll(BETWEEN, "."))) return [stablePath(classname), stablePath(name)];
	return [suites === name ? "" : suites, stablePath(name)];
}
function isPytest(suites) {
	return suites === "pytest";
}
function nodeId(scope, name) {
	const path = scope === "" ? name : scope;
	const module = /^(?:.*\.)?(?:test_[^.]*|[^.]*_test)(?=\.|$)/.exec(path)?.[0].length ?? path.search(/\.[A-Z]/);
	const end = module === -1 ? path.length : module;
	const file = `${path.slice(0, end).replaceAll(".", "/")}.py${path.slice(end).replaceAll(".", "::")}`;
	return scope === "" ? file : `${file}::${name}`;
}
const SOURCE = /\.(?:[cm]?[jt]sx?|py|php|rb|go|rs|java|kt|cs|dart|lua|sh|bats|feature|vue|svelte)$/;
const ABSOLUTE = /^(?:file:\/\/|[A-Za-z]:[\\/]|\/)/;
function isPath(text) {
	return SOURCE.test(text) && (ABSOLUTE.test(text) || !/\s/.test(text));
}
function stablePath(text) {
	if (!SOURCE.test(text)) return text;
	if (ABSOLUTE.test(text)) return baseName(text);
	return /\s/.test(text) ? text : text.replaceAll("\\", "/");
}
function baseName(path) {
	return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
}
function unescaped$1(name) {
	if (!/\\U00|#x|&quot;/.test(name)) return name;
	return name.replaceAll("&quot;", "\"").replace(/(?:\\U00(?=0[1-9a-f]|10)|#x(?=[1-9a-f]))([0-9a-f]{5,6})/gi, (written, hex) => {
		const point = Number.parseInt(hex, 16);
		return point >= 65536 && point <= 1114111 ? String.fromCodePoint(point) : written;
	});
}
// src/read/junit-time.ts
function secondsOf(written) {
	if (written === void 0 || written === "") return null;
	const plain = plainSeconds(written);
	if (plain !== null) return plain;
	const match = /^(?:(\d{1,4}):)?(?:(\d{1,4}):)?(\d[\d,]*(?:\.\d*)?(?:e[+-]?\d{1,2})?) *(ns|us|µs|μs|ms|s)?$/i.exec(written.slice(0, 40).trim());
	if (match === null) return null;
	const [, first, second, last = "", unit = ""] = match;
	const number = Number(/^0,|^\d+,\d{1,2}$/.test(last) ? last.replace(",", ".") : last.replaceAll(",", ""));
	const [hours, minutes] = second === void 0 ? [0, Number(first ?? 0)] : [Number(first), Number(second)];
	const bare = unit === "" && first === void 0 && Number.isInteger(number) && number >= 1e6;
	const scale = UNITS.get(bare ? "ns" : unit.toLowerCase()) ?? 1;
	return Number.isFinite(number) ? number * scale + minutes * 60 + hours * 3600 : null;
}
function plainSeconds(written) {
	if (written.length > 15) return null;
	let digits = 0;
	let scale = 0;
	for (let at = 0; at < written.length; at++) {
		const digit = written.charCodeAt(at) - ZERO;
		if (digit >= 0 && digit <= 9) {
			digits = digits * 10 + digit;
			scale *= 10;
		} else if (written[at] === "." && scale === 0 && at > 0 && at < 7) scale = 1;
		else return null;
	}
	return scale > 1 ? digits / scale : null;
}
const ZERO = 48;
const UNITS = new Map([
	["ns", 1e-9],
	["us", 1e-6],
	["µs", 1e-6],
	["μs", 1e-6],
	["ms", .001]
]);
const EARLIEST = Date.UTC(2e3, 0, 1);
function momentOf(written) {
	const match = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(\.\d{1,9})? *(Z|[+-]\d\d:?\d\d)?$/i.exec(written?.slice(0, 48).trim() ?? "");
	if (match === null) return null;
	const [text, day, time, fraction = "", zone = "Z"] = match;
	const offset = zone.toUpperCase() === "Z" ? "Z" : zone.replace(/^(...)(\d\d)$/, "$1:$2");
	const at = Date.parse(`${day}T${time}${fraction.slice(0, 4)}${offset}`);
	return Number.isNaN(at) || at < EARLIEST ? null : {
		text,
		at,
		zoned: match[4] !== void 0
	};
}
// src/read/junit-suite.ts
const HOSTS = 32;
function openSuite(name, attributes, outer) {
	if (outer !== null) outer.suites++;
	const title = name === "testsuites" ? "" : attributes.get("name") ?? "";
	return {
		path: title === "" ? outer?.path ?? "" : suitePath(outer?.path ?? "", title),
		project: projectOf(name, attributes, outer),
		declared: totalOf(attributes, "tests"),
		declaredFailures: sumOf(totalOf(attributes, "failures"), totalOf(attributes, "errors")),
		seconds: secondsOf(attributes.get("time")),
		jest: outer === null ? attributes.get("name") === "jest tests" : outer.jest,
		outer,
		cases: 0,
		executed: 0,
		failures: false,
		suites: 0,
		cached: false
	};
}
function totalOf(attributes, name) {
	const text = attributes.get(name);
	return text !== void 0 && /^\d{1,9}$/.test(text) ? Number(text) : null;
}
function sumOf(one, other) {
	return one === null && other === null ? null : (one ?? 0) + (other ?? 0);
}
function projectOf(name, attributes, outer) {
	if (outer === null) return name === "testsuites" && attributes.has("id") ? "" : null;
	return outer.project === null ? null : attributes.get("hostname") ?? outer.project;
}
function remember(name, attributes, suite, into) {
	const host = suite.project === null ? attributes.get("hostname")?.trim() : void 0;
	if (host && into.hosts.size < HOSTS) into.hosts.add(host);
	if (name === "testsuite" && suite.seconds !== null) into.suiteSeconds = Math.max(into.suiteSeconds ?? 0, suite.seconds);
	const moment = momentOf(attributes.get("timestamp"));
	if (moment === null) return;
	const known = into.moments.find(({ first }) => first.zoned === moment.zoned);
	if (known === void 0) into.moments.push({
		first: moment,
		last: moment
	});
	else if (moment.at < known.first.at) known.first = moment;
	else if (moment.at > known.last.at) known.last = moment;
}
// node_modules/@nodable/entities/src/entities.js
const CURRENCY = {
	cent: "¢",
	pound: "£",
	curren: "¤",
	yen: "¥",
	euro: "€",
	dollar: "$",
	fnof: "ƒ",
	inr: "₹",
	af: "؋",
	birr: "ብር",
	peso: "₱",
	rub: "₽",
	won: "₩",
	yuan: "¥",
	cedil: "¸"
};
const XML = {
	amp: "&",
	apos: "'",
	gt: ">",
	lt: "<",
	quot: "\""
};
const COMMON_HTML = {
	nbsp: "\xA0",
	copy: "©",
	reg: "®",
	trade: "™",
	mdash: "—",
	ndash: "–",
	hellip: "…",
	laquo: "«",
	raquo: "»",
	lsquo: "‘",
	rsquo: "’",
	ldquo: "“",
	rdquo: "”",
	bull: "•",
	para: "¶",
	sect: "§",
	deg: "°",
	frac12: "½",
	frac14: "¼",
	frac34: "¾"
};
// node_modules/@nodable/entities/src/EntityDecoder.js
const ENTITY_ACTION = Object.freeze({
	ALLOW: "allow",
	BLOCK: "block",
	THROW: "throw"
});
const SPECIAL_CHARS = new Set("!?\\\\/[]$%{}^&*()<>|+");
function validateEntityName(name) {
	if (name[0] === "#") throw new Error(`[EntityReplacer] Invalid character '#' in entity name: "${name}"`);
	for (const ch of name) if (SPECIAL_CHARS.has(ch)) throw new Error(`[EntityReplacer] Invalid character '${ch}' in entity name: "${name}"`);
	return name;
}
function mergeEntityMaps(...maps) {
	const out = Object.create(null);
	for (const map of maps) {
		if (!map) continue;
		for (const key of Object.keys(map)) {
			const raw = map[key];
			if (typeof raw === "string") out[key] = raw;
			else if (raw && typeof raw === "object" && raw.val !== void 0) {
				const val = raw.val;
				if (typeof val === "string") out[key] = val;
			}
		}
	}
	return out;
}
const LIMIT_TIER_EXTERNAL = "external";
const LIMIT_TIER_BASE = "base";
const LIMIT_TIER_ALL = "all";
function parseLimitTiers(raw) {
	if (!raw || raw === LIMIT_TIER_EXTERNAL) return new Set([LIMIT_TIER_EXTERNAL]);
	if (raw === LIMIT_TIER_ALL) return new Set([LIMIT_TIER_ALL]);
	if (raw === LIMIT_TIER_BASE) return new Set([LIMIT_TIER_BASE]);
	if (Array.isArray(raw)) return new Set(raw);
	return new Set([LIMIT_TIER_EXTERNAL]);
}
const NCR_LEVEL = Object.freeze({
	allow: 0,
	leave: 1,
	remove: 2,
	throw: 3
});
const XML10_ALLOWED_C0 = new Set([
	9,
	10,
	13
]);
function parseNCRConfig(ncr) {
	if (!ncr) return {
		xmlVersion: 1,
		onLevel: NCR_LEVEL.allow,
		nullLevel: NCR_LEVEL.remove
	};
	const xmlVersion = ncr.xmlVersion === 1.1 ? 1.1 : 1;
	const onLevel = NCR_LEVEL[ncr.onNCR] ?? NCR_LEVEL.allow;
	const nullLevel = NCR_LEVEL[ncr.nullNCR] ?? NCR_LEVEL.remove;
	return {
		xmlVersion,
		onLevel,
		nullLevel: Math.max(nullLevel, NCR_LEVEL.remove)
	};
}
var EntityDecoder = class {
	constructor(options = {}) {
		this._limit = options.limit || {};
		this._maxTotalExpansions = this._limit.maxTotalExpansions || 0;
		this._maxExpandedLength = this._limit.maxExpandedLength || 0;
		this._postCheck = typeof options.postCheck === "function" ? options.postCheck : (r) => r;
		this._limitTiers = parseLimitTiers(this._limit.applyLimitsTo ?? LIMIT_TIER_EXTERNAL);
		this._numericAllowed = options.numericAllowed ?? true;
		this._baseMap = mergeEntityMaps(XML, options.namedEntities || null);
		this._externalMap = Object.create(null);
		this._inputMap = Object.create(null);
		this._totalExpansions = 0;
		this._expandedLength = 0;
		this._removeSet = new Set(options.remove && Array.isArray(options.remove) ? options.remove : []);
		this._leaveSet = new Set(options.leave && Array.isArray(options.leave) ? options.leave : []);
		const ncrCfg = parseNCRConfig(options.ncr);
		this._ncrXmlVersion = ncrCfg.xmlVersion;
		this._ncrOnLevel = ncrCfg.onLevel;
		this._ncrNullLevel = ncrCfg.nullLevel;
		this._onExternalEntity = typeof options.onExternalEntity === "function" ? options.onExternalEntity : null;
		this._onInputEntity = typeof options.onInputEntity === "function" ? options.onInputEntity : null;
	}
	_applyRegistrationHook(hook, name, value, context) {
		if (!hook) return true;
		const action = hook(name, value);
		if (action === ENTITY_ACTION.BLOCK) return false;
		if (action === ENTITY_ACTION.THROW) throw new Error(`[EntityDecoder] Registration of ${context} entity "&${name};" was rejected by hook`);
		return true;
	}
	setExternalEntities(map) {
		if (map) for (const key of Object.keys(map)) validateEntityName(key);
		if (!this._onExternalEntity) {
			this._externalMap = mergeEntityMaps(map);
			return;
		}
		const flat = mergeEntityMaps(map);
		const filtered = Object.create(null);
		for (const [name, value] of Object.entries(flat)) if (this._applyRegistrationHook(this._onExternalEntity, name, value, "external")) filtered[name] = value;
		this._externalMap = filtered;
	}
	addExternalEntity(key, value) {
		validateEntityName(key);
		if (typeof value === "string" && value.indexOf("&") === -1) {
			if (this._applyRegistrationHook(this._onExternalEntity, key, value, "external")) this._externalMap[key] = value;
		}
	}
	addInputEntities(map) {
		this._totalExpansions = 0;
		this._expandedLength = 0;
		if (!this._onInputEntity) {
			this._inputMap = mergeEntityMaps(map);
			return;
		}
		const flat = mergeEntityMaps(map);
		const filtered = Object.create(null);
		for (const [name, value] of Object.entries(flat)) if (this._applyRegistrationHook(this._onInputEntity, name, value, "input")) filtered[name] = value;
		this._inputMap = filtered;
	}
	reset() {
		this._inputMap = Object.create(null);
		this._totalExpansions = 0;
		this._expandedLength = 0;
		return this;
	}
	setXmlVersion(version) {
		this._ncrXmlVersion = version === 1.1 ? 1.1 : 1;
	}
	decode(str) {
		if (typeof str !== "string" || str.length === 0) return str;
		if (str.indexOf("&") === -1) return str;
		const original = str;
		const chunks = [];
		const len = str.length;
		let last = 0;
		let i = 0;
		const limitExpansions = this._maxTotalExpansions > 0;
		const limitLength = this._maxExpandedLength > 0;
		const checkLimits = limitExpansions || limitLength;
		while (i < len) {
			if (str.charCodeAt(i) !== 38) {
				i++;
				continue;
			}
			let j = i + 1;
			while (j < len && str.charCodeAt(j) !== 59 && j - i <= 32) j++;
			if (j >= len || str.charCodeAt(j) !== 59) {
				i++;
				continue;
			}
			const token = str.slice(i + 1, j);
			if (token.length === 0) {
				i++;
				continue;
			}
			let replacement;
			let tier;
			if (this._removeSet.has(token)) {
				replacement = "";
				if (tier === void 0) tier = LIMIT_TIER_EXTERNAL;
			} else if (this._leaveSet.has(token)) {
				i++;
				continue;
			} else if (token.charCodeAt(0) === 35) {
				const ncrResult = this._resolveNCR(token);
				if (ncrResult === void 0) {
					i++;
					continue;
				}
				replacement = ncrResult;
				tier = LIMIT_TIER_BASE;
			} else {
				const resolved = this._resolveName(token);
				replacement = resolved?.value;
				tier = resolved?.tier;
			}
			if (replacement === void 0) {
				i++;
				continue;
			}
			if (i > last) chunks.push(str.slice(last, i));
			chunks.push(replacement);
			last = j + 1;
			i = last;
			if (checkLimits && this._tierCounts(tier)) {
				if (limitExpansions) {
					this._totalExpansions++;
					if (this._totalExpansions > this._maxTotalExpansions) throw new Error(`[EntityReplacer] Entity expansion count limit exceeded: ${this._totalExpansions} > ${this._maxTotalExpansions}`);
				}
				if (limitLength) {
					const delta = replacement.length - (token.length + 2);
					if (delta > 0) {
						this._expandedLength += delta;
						if (this._expandedLength > this._maxExpandedLength) throw new Error(`[EntityReplacer] Expanded content length limit exceeded: ${this._expandedLength} > ${this._maxExpandedLength}`);
					}
				}
			}
		}
		if (last < len) chunks.push(str.slice(last));
		const result = chunks.length === 0 ? str : chunks.join("");
		return this._postCheck(result, original);
	}
	_tierCounts(tier) {
		if (this._limitTiers.has(LIMIT_TIER_ALL)) return true;
		return this._limitTiers.has(tier);
	}
	_resolveName(name) {
		if (name in this._inputMap) return {
			value: this._inputMap[name],
			tier: LIMIT_TIER_EXTERNAL
		};
		if (name in this._externalMap) return {
			value: this._externalMap[name],
			tier: LIMIT_TIER_EXTERNAL
		};
		if (name in this._baseMap) return {
			value: this._baseMap[name],
			tier: LIMIT_TIER_BASE
		};
	}
	_classifyNCR(cp) {
		if (cp === 0) return this._ncrNullLevel;
		if (cp >= 55296 && cp <= 57343) return NCR_LEVEL.remove;
		if (this._ncrXmlVersion === 1) {
			if (cp >= 1 && cp <= 31 && !XML10_ALLOWED_C0.has(cp)) return NCR_LEVEL.remove;
		}
		return -1;
	}
	_applyNCRAction(action, token, cp) {
		switch (action) {
			case NCR_LEVEL.allow: return String.fromCodePoint(cp);
			case NCR_LEVEL.remove: return "";
			case NCR_LEVEL.leave: return;
			case NCR_LEVEL.throw: throw new Error(`[EntityDecoder] Prohibited numeric character reference &${token}; (U+${cp.toString(16).toUpperCase().padStart(4, "0")})`);
			default: return String.fromCodePoint(cp);
		}
	}
	_resolveNCR(token) {
		const second = token.charCodeAt(1);
		let cp;
		if (second === 120 || second === 88) cp = parseInt(token.slice(2), 16);
		else cp = parseInt(token.slice(1), 10);
		if (Number.isNaN(cp) || cp < 0 || cp > 1114111) return void 0;
		const minimum = this._classifyNCR(cp);
		if (!this._numericAllowed && minimum < NCR_LEVEL.remove) return void 0;
		const effective = minimum === -1 ? this._ncrOnLevel : Math.max(this._ncrOnLevel, minimum);
		return this._applyNCRAction(effective, token, cp);
	}
};
// src/read/xml-text.ts
const DECODER = new EntityDecoder({ namedEntities: {
	...COMMON_HTML,
	...CURRENCY
} });
const RAW = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;
const REFERENCE = /&#0*(?:[0-8]|1[1-24-9]|2\d|3[01]);|&#x0*(?:[0-8bcef]|1[0-9a-f]);/i;
const REFERENCES = new RegExp(REFERENCE, "gi");
function searchControl(text) {
	const raw = text.search(RAW);
	const reference = text.includes("&#") ? text.search(REFERENCE) : -1;
	return raw === -1 || reference === -1 ? Math.max(raw, reference) : Math.min(raw, reference);
}
function decodingOf(odd) {
	return odd ? ODD : PLAIN;
}
const PLAIN = {
	text: (raw) => raw.includes("&") ? cleanText(DECODER.decode(raw)) : raw,
	cdata: (raw) => raw
};
const ODD = {
	text: (raw) => cleanText(raw.includes("&") ? DECODER.decode(withoutControlReferences(raw)) : raw),
	cdata: (raw) => cleanText(withoutControlReferences(raw))
};
function withoutControlReferences(raw) {
	return raw.replace(REFERENCES, (mark) => {
		const hex = /^&#x/i.test(mark);
		return String.fromCharCode(Number.parseInt(mark.slice(hex ? 3 : 2), hex ? 16 : 10));
	});
}
function cleanText(text) {
	if (!/[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/.test(text)) return text;
	return text.replace(/\r\n?/g, "\n").replace(/\u001b\[[\d;]*m/g, "").replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "�");
}
// src/read/xml.ts
const DEPTH = 256;
const ATTRIBUTES = 256;
const ELEMENTS = 5e6;
const TEXT$1 = 4096;
var XmlError = class extends Error {
	line;
	constructor(message, line) {
		super(message);
		this.name = "XmlError";
		this.line = line;
	}
};
var Attributes = class {
	#text;
	#decoding;
	#spans = [];
	#end = 0;
	constructor(text, decoding) {
		this.#text = text;
		this.#decoding = decoding;
	}
	get(key) {
		for (let at = 0; at < this.#end; at += 4) {
			const from = this.#spans[at];
			if (this.#spans[at + 1] - from !== key.length || !this.#text.startsWith(key, from)) continue;
			return this.#decoding.text(this.#text.slice(this.#spans[at + 2], this.#spans[at + 3]));
		}
	}
	has(key) {
		return this.get(key) !== void 0;
	}
	get size() {
		return this.#end / 4;
	}
	clear() {
		this.#end = 0;
	}
	add(from, to, valueFrom, valueTo) {
		this.#spans[this.#end] = from;
		this.#spans[this.#end + 1] = to;
		this.#spans[this.#end + 2] = valueFrom;
		this.#spans[this.#end + 3] = valueTo;
		this.#end += 4;
	}
	named(from, to) {
		const text = this.#text;
		for (let at = 0; at < this.#end; at += 4) {
			const start = this.#spans[at];
			if (this.#spans[at + 1] - start !== to - from) continue;
			let step = 0;
			while (step < to - from && text.charCodeAt(start + step) === text.charCodeAt(from + step)) step++;
			if (step === to - from) return true;
		}
		return false;
	}
};
function readXml(text, roots, odd, handler) {
	new Reading(text, roots, decodingOf(odd), handler).all();
}
const BREAKS_OFF = "it breaks off before its end";
var Reading = class {
	#text;
	#roots;
	#decoding;
	#handler;
	#attributes;
	#open = [];
	#wanted = [];
	#rooted = false;
	#elements = 0;
	#empty = false;
	constructor(text, roots, decoding, handler) {
		this.#text = text;
		this.#roots = roots;
		this.#decoding = decoding;
		this.#handler = handler;
		this.#attributes = new Attributes(text, decoding);
	}
	all() {
		const text = this.#text;
		for (let at = 0; at < text.length;) {
			const mark = text.indexOf("<", at);
			this.#textBetween(at, mark === -1 ? text.length : mark);
			if (mark === -1) break;
			at = this.#markup(mark);
		}
		if (this.#open.length > 0) this.#fail(text.length, BREAKS_OFF);
		if (!this.#rooted) this.#fail(text.length, "it has no element");
	}
	#markup(mark) {
		const text = this.#text;
		const next = text[mark + 1];
		if (next === "/") return this.#closeTag(mark);
		if (next === "?") return this.#past("?>", mark + 2);
		if (next !== "!") return this.#openTag(mark);
		if (text.startsWith("<!--", mark)) return this.#past("-->", mark + 4);
		if (text.startsWith("<![CDATA[", mark)) return this.#cdata(mark);
		return this.#fail(mark, "it has a DOCTYPE, which no reporter writes");
	}
	#textBetween(from, to) {
		if (this.#open.length === 0) this.#noStray(from, to);
		else if (to > from && this.#wanted[this.#wanted.length - 1]) this.#handler.text(this.#decoding.text(this.#text.slice(from, Math.min(to, from + TEXT$1))));
	}
	#cdata(mark) {
		const from = mark + 9;
		const end = this.#past("]]>", from);
		if (this.#open.length === 0) this.#noStray(mark, end);
		else if (this.#wanted[this.#wanted.length - 1]) this.#handler.text(this.#decoding.cdata(this.#text.slice(from, Math.min(end - 3, from + TEXT$1))));
		return end;
	}
	#openTag(start) {
		const written = this.#text.slice(start + 1, afterName(this.#text, start + 1));
		const end = this.#tag(start + 1, written);
		const name = written.slice(written.indexOf(":") + 1);
		if (this.#open.length === 0) this.#root(start, name);
		if (this.#open.length === DEPTH) this.#fail(start, `it nests deeper than ${DEPTH} elements`);
		if (++this.#elements > ELEMENTS) this.#fail(start, `it has more than ${ELEMENTS.toLocaleString("en")} elements`);
		const wanted = this.#handler.open(name, this.#attributes);
		if (this.#empty) this.#handler.close();
		else {
			this.#open.push(written);
			this.#wanted.push(wanted);
		}
		return end;
	}
	#root(start, name) {
		if (this.#rooted) this.#fail(start, "a second document follows the first");
		if (!this.#roots.has(name)) this.#fail(start, `it is no JUnit XML: its root is none of ${[...this.#roots].join(", ")}`);
		this.#rooted = true;
	}
	#closeTag(start) {
		const name = this.#text.slice(start + 2, afterName(this.#text, start + 2));
		const end = afterSpace(this.#text, start + 2 + name.length);
		if (end >= this.#text.length) this.#fail(end, BREAKS_OFF);
		if (this.#text[end] !== ">" || this.#open.pop() !== name) this.#fail(start, "a closing tag does not fit the one that is open");
		this.#wanted.pop();
		this.#handler.close();
		return end + 1;
	}
	#tag(start, name) {
		const text = this.#text;
		const attributes = this.#attributes;
		if (name === "") this.#fail(start, start >= text.length ? BREAKS_OFF : "a `<` begins no tag");
		attributes.clear();
		for (let at = afterSpace(text, start + name.length);;) {
			this.#empty = text[at] === "/" && text[at + 1] === ">";
			if (this.#empty) return at + 2;
			if (text[at] === ">") return at + 1;
			const keyEnd = afterName(text, at);
			const equals = afterSpace(text, keyEnd);
			const quoteAt = afterSpace(text, equals + 1);
			const quote = text[quoteAt];
			if (quote === void 0) return this.#fail(text.length, BREAKS_OFF);
			if (keyEnd === at || text[equals] !== "=" || quote !== "\"" && quote !== "'") this.#fail(at, "a tag has something that is no attribute");
			const end = text.indexOf(quote, quoteAt + 1);
			if (end === -1) this.#fail(text.length, BREAKS_OFF);
			if (attributes.named(at, keyEnd)) this.#fail(at, "a tag has the same attribute twice");
			if (attributes.size === ATTRIBUTES) this.#fail(at, `a tag has more than ${ATTRIBUTES} attributes`);
			attributes.add(at, keyEnd, quoteAt + 1, end);
			at = afterSpace(text, end + 1);
		}
	}
	#past(mark, from) {
		const found = this.#text.indexOf(mark, from);
		return found === -1 ? this.#fail(this.#text.length, BREAKS_OFF) : found + mark.length;
	}
	#noStray(from, to) {
		const at = this.#text.slice(from, to).search(/\S/);
		if (at !== -1) this.#fail(from + at, this.#rooted ? "text follows the document" : "it is no XML: it begins with text");
	}
	#fail(at, why) {
		throw new XmlError(why, lineOf(this.#text, at));
	}
};
const ENDS_NAME = new Set([..."<>/=!?'\"&"].map((mark) => mark.charCodeAt(0)));
function afterName(text, from) {
	let at = from;
	for (let code = text.charCodeAt(at); code > SPACE && !ENDS_NAME.has(code); code = text.charCodeAt(at)) at++;
	return at;
}
function afterSpace(text, from) {
	let at = from;
	while (text.charCodeAt(at) <= SPACE) at++;
	return at;
}
const SPACE = 32;
// src/read/junit-collect.ts
const ROOTS = new Set(["testsuites", "testsuite"]);
const SEALED = new Set([
	"system-out",
	"system-err",
	"properties"
]);
const CAP = 1e6;
const TEXT = 8192;
const TIMES = 8;
function isOfOneRun({ moments, times }) {
	return moments.length > 0 || times.size === TIMES;
}
function emptyReport() {
	return {
		cases: [],
		hollow: [],
		suiteProblems: [],
		countMismatches: [],
		hosts: new Set(),
		moments: [],
		times: new Set(),
		suiteSeconds: null,
		cachedCases: 0
	};
}
var Collector = class {
	report = emptyReport();
	#file;
	#room;
	#open = [];
	#suite = null;
	#kept = 0;
	#earlier = null;
	#earlierFile = "";
	#lastClass = "";
	#spare = null;
	constructor(file, room) {
		this.#file = file;
		this.#room = room;
	}
	open(name, attributes) {
		const frame = this.#frame(name, attributes);
		this.#open.push(frame);
		return frame.kind === "result";
	}
	text(text) {
		const frame = this.#open[this.#open.length - 1];
		if (frame?.kind === "result" && frame.result.text.length < TEXT) frame.result.text += text;
	}
	close() {
		const frame = this.#open.pop();
		if (frame?.kind === "case") this.#closeCase(frame);
		else if (frame?.kind === "suite") this.#closeSuite(frame.suite);
		else if (frame?.kind === "result") this.#closeResult(frame.result);
	}
	#frame(name, attributes) {
		const inside = this.#open[this.#open.length - 1];
		if (inside?.kind === "sealed") {
			if (this.#suite !== null && name === "property") this.#markGo(this.#suite, attributes.get("name"));
			return SEALED_FRAME;
		}
		if (SEALED.has(name)) return SEALED_FRAME;
		if (name === "testcase") {
			if (this.#suite !== null) this.#suite.cases++;
			return this.#openCase(attributes);
		}
		if (ROOTS.has(name)) {
			this.#earlier = null;
			this.#suite = openSuite(name, attributes, this.#suite);
			remember(name, attributes, this.#suite, this.report);
			return {
				kind: "suite",
				suite: this.#suite
			};
		}
		if (inside?.kind === "case" && isAttempt(name)) {
			inside.one.attempts++;
			return OTHER_FRAME;
		}
		const result = inside?.kind === "case" || inside?.kind === "suite" ? asResult(name, attributes) : null;
		return result === null ? OTHER_FRAME : {
			kind: "result",
			result
		};
	}
	#markGo(suite, property) {
		if (property === "go.cached" || property === "go.version" && suite.seconds === 0) suite.cached = true;
	}
	#openCase(attributes) {
		const suite = this.#suite;
		const written = attributes.get("name") ?? "";
		const classname = this.#sameClass(attributes.get("classname") ?? attributes.get("class") ?? "");
		const full = suite?.jest ? jestName(classname, written) : written;
		const { scope, name, hollow } = identify(suite?.path ?? "", suite?.project ?? "", suite?.jest ? full : classname, full);
		const seconds = secondsOf(attributes.get("time"));
		const one = {
			scope,
			name,
			suite: suite?.path ?? "",
			seconds,
			status: statedStatus(attributes),
			message: null,
			attempts: 0
		};
		const file = attributes.get("file") ?? "";
		const named = written !== "" || classname !== "";
		const frame = this.#spare;
		if (frame === null) return {
			kind: "case",
			one,
			worst: null,
			file,
			named,
			hollow
		};
		this.#spare = null;
		frame.one = one;
		frame.worst = null;
		frame.file = file;
		frame.named = named;
		frame.hollow = hollow;
		return frame;
	}
	#closeCase(frame) {
		const { one, worst, file, named, hollow } = frame;
		this.#spare = frame;
		const suite = this.#suite;
		if (worst === null && !named) {
			if (suite !== null) suite.cases--;
			return;
		}
		const { cases } = this.report;
		const attempt = this.#isAgain(one, file);
		if (attempt) one.attempts += (this.#earlier?.attempts ?? 0) + 1;
		if (worst !== null) {
			one.status = worst.status;
			one.message = firstLine(worst);
		}
		if (suite !== null) {
			if (one.status !== "skipped") suite.executed++;
			if (one.attempts > 0 || one.status !== "passed" && one.status !== "skipped") suite.failures = true;
		}
		if (one.seconds && this.report.times.size < TIMES) this.report.times.add(one.seconds);
		if (hollow && one.status === "passed") this.report.hollow.push(one);
		if (attempt) cases[cases.length - 1] = one;
		else {
			this.#count();
			cases.push(one);
		}
		this.#earlier = isPytest(one.suite) && worst === null ? one : null;
		this.#earlierFile = file;
	}
	#isAgain({ scope, name }, file) {
		const earlier = this.#earlier;
		return earlier !== null && earlier.name === name && earlier.scope === scope && this.#earlierFile === file;
	}
	#sameClass(classname) {
		if (classname !== this.#lastClass) this.#lastClass = classname;
		return this.#lastClass;
	}
	#closeSuite({ declared, declaredFailures, failures, cases, executed, suites, outer, cached }) {
		const mismatch = (of, attribute, elements) => {
			this.#count();
			this.report.countMismatches.push({
				file: this.#file,
				attribute,
				elements,
				of
			});
		};
		if (declared !== null && suites === 0 && declared !== cases) mismatch("cases", declared, cases);
		if (declaredFailures && suites === 0 && !failures) mismatch("failures", declaredFailures, 0);
		if (cached) this.report.cachedCases += executed;
		this.#suite = outer;
		this.#earlier = null;
	}
	#closeResult(result) {
		const around = this.#open[this.#open.length - 1];
		if (around?.kind === "case") around.worst = worse(around.worst, result);
		else if (result.status !== "skipped") {
			this.#count();
			if (this.#suite !== null) this.#suite.failures = true;
			this.report.suiteProblems.push({
				file: this.#file,
				message: firstLine(result)
			});
		}
	}
	#count() {
		if (++this.#kept > this.#room) throw new XmlError(`it has more than ${CAP.toLocaleString("en")} cases`, null);
	}
};
const SEALED_FRAME = { kind: "sealed" };
const OTHER_FRAME = { kind: "other" };
// src/read/junit.ts
function readTestReport(files) {
	const problems = [];
	const reports = [];
	let kept = 0;
	for (const { file, bytes } of files) {
		const report = readJUnit(file, bytes, CAP - kept, problems);
		if (report === null) continue;
		reports.push({
			...report,
			file,
			digest: createHash("sha256").update(bytes).digest("hex")
		});
		kept += report.cases.length + report.suiteProblems.length + report.countMismatches.length;
	}
	if (reports.length === 0) return {
		report: null,
		problems
	};
	const seconds = reports.flatMap((one) => one.suiteSeconds ?? []);
	return {
		report: {
			files: reports.map((one) => one.file),
			cases: reports.length === 1 && reports[0] ? reports[0].cases : reports.flatMap((one) => one.cases),
			hollow: reports.flatMap((one) => one.hollow),
			suiteProblems: reports.flatMap((one) => one.suiteProblems),
			countMismatches: reports.flatMap((one) => one.countMismatches),
			hosts: [...new Set(reports.flatMap((one) => [...one.hosts]))],
			moments: reports.flatMap((one) => one.moments.flatMap(({ first, last }) => [first, last])),
			suiteSeconds: seconds.length === 0 ? null : seconds.reduce((a, b) => Math.max(a, b)),
			cachedCases: reports.reduce((sum, one) => sum + one.cachedCases, 0),
			digests: reports.flatMap((one) => isOfOneRun(one) ? [{
				file: one.file,
				digest: one.digest
			}] : [])
		},
		problems
	};
}
function readJUnit(file, bytes, room, problems) {
	const encoding = declaredEncoding(bytes);
	const decoder = encoding === null ? null : decoderOf(encoding);
	if (encoding !== null && decoder === null) {
		const why = `its encoding, ${clip(encoding, 40)}, is not known: it is read as UTF-8, UTF-16 or what the XML declaration names`;
		problems.push({
			kind: "unreadable",
			file,
			line: 1,
			why
		});
		return null;
	}
	const { text, invalidAt } = decodeText(bytes, decoder);
	if (invalidAt !== null) problems.push({
		kind: "not-utf8",
		file,
		line: invalidAt
	});
	if (!/\S/.test(text)) {
		problems.push({
			kind: "unreadable",
			file,
			line: null,
			why: "it is empty"
		});
		return null;
	}
	const control = searchControl(text);
	if (control !== -1) problems.push({
		kind: "control-characters",
		file,
		line: lineOf(text, control)
	});
	const collector = new Collector(file, room);
	try {
		readXml(text, ROOTS, control !== -1 || text.includes("\r"), collector);
		return collector.report;
	} catch (error) {
		if (!(error instanceof XmlError)) throw error;
		problems.push({
			kind: "unreadable",
			file,
			line: error.line,
			why: error.message
		});
		return null;
	}
}
function declaredEncoding(bytes) {
	const head = Buffer.from(bytes.subarray(0, 200)).toString("latin1");
	const named = /^<\?xml\s[^>]*?\bencoding\s*=\s*["']([^"']*)["']/.exec(head)?.[1] ?? null;
	return named === null || /^utf-?(?:8|16)/i.test(named) ? null : named;
}
function decoderOf(encoding) {
	try {
		return new TextDecoder(encoding, { fatal: true });
	} catch {
		return null;
	}
}
// src/read/run-source.ts
const SOURCE_KEYS = "git\\.(?:head|tree|dirty|base|hidden|ignored|lfs|filtered|autocrlf|eol|(?:hidden|removed|excluded|untracked|change|after|submodule)\\.(?:\\d{1,4}|more))";
function readSource(values) {
	const get = (key) => values.get(`git.${key}`) ?? null;
	const list = (key) => [...values].flatMap(([name, value]) => new RegExp(`^git\\.${key}\\.\\d+$`).test(name) ? [value] : []);
	const paths = (key) => list(key).map(unquoted$1);
	const changes = (key) => list(key).flatMap((entry) => {
		const [, letter = "", mode, oid, quoted] = CHANGE.exec(entry) ?? [];
		const how = HOW.get(letter);
		if (how === void 0 || mode === void 0 || oid === void 0 || quoted === void 0) return [];
		return [{
			how,
			mode,
			oid,
			quoted,
			path: unquoted$1(quoted)
		}];
	});
	return {
		head: objectId(get("head")),
		tree: objectId(get("tree")),
		dirty: get("dirty") === "yes" ? true : get("dirty") === "no" ? false : null,
		base: objectId(get("base")),
		hidden: get("hidden"),
		hiddenPaths: paths("hidden"),
		removed: paths("removed"),
		excluded: paths("excluded"),
		untracked: paths("untracked"),
		changes: changes("change"),
		unlisted: integer$1(get("change.more")) ?? 0,
		after: changes("after"),
		submodules: list("submodule").flatMap((entry) => {
			const [, state, quoted] = /^(clean|dirty|absent|empty) ([\s\S]+)$/.exec(entry) ?? [];
			return quoted === void 0 ? [] : [{
				state,
				path: unquoted$1(quoted)
			}];
		}),
		ignored: integer$1(get("ignored")),
		lfsPointers: integer$1(get("lfs")),
		filtered: integer$1(get("filtered")),
		lineEndings: {
			autocrlf: get("autocrlf"),
			eol: get("eol")
		}
	};
}
const CHANGE = /^([AMTD]) (\d{6}) ([0-9a-f]{40}|[0-9a-f]{64}) ([^\n]+)$/;
const HOW = new Map([
	["A", "added"],
	["M", "changed"],
	["T", "changed"],
	["D", "removed"]
]);
const ESCAPES = {
	a: "\x07",
	b: "\b",
	t: "	",
	n: "\n",
	v: "\v",
	f: "\f",
	r: "\r"
};
function unquoted$1(path) {
	const inside = /^"([\s\S]*)"$/.exec(path)?.[1];
	if (inside === void 0) return path;
	const bytes = inside.replace(/\\([0-7]{3}|[\s\S])|[^\x00-\x7f]+/g, (written, escaped) => {
		if (escaped === void 0) return Buffer.from(written).toString("latin1");
		return escaped.length === 3 ? String.fromCharCode(Number.parseInt(escaped, 8) & 255) : ESCAPES[escaped] ?? escaped;
	});
	return Buffer.from(bytes, "latin1").toString("utf8");
}
function integer$1(value) {
	return value !== null && /^\d{1,9}$/.test(value) ? Number(value) : null;
}
function objectId(value) {
	return value !== null && /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(value) ? value : null;
}
// src/read/run-file.ts
const KEYS = new RegExp(`^(?:schema|(?:runner|command|argv|asked|started|finished|exit|signal|cached|junit\\.missing)(?:\\.\\d{1,5}){0,2}|cwd|tools|lockfile(?:\\.\\d{1,3})?|${SOURCE_KEYS}|junit\\.older\\.\\d{1,5}|capture\\.sha256)$`);
function readRun(file, bytes) {
	const { text, invalidAt } = decodeText(bytes);
	const problems = invalidAt === null ? [] : [{
		kind: "not-utf8",
		file,
		line: invalidAt
	}];
	const values = new Map();
	text.split(/\r?\n/).forEach((raw, index) => {
		if (raw.trim() === "") return;
		const equals = raw.indexOf("=");
		const key = raw.slice(0, Math.max(equals, 0));
		if (!KEYS.test(key)) problems.push({
			kind: "unrecognised-line",
			file,
			line: index + 1,
			text: raw
		});
		else if (values.has(key)) problems.push({
			kind: "repeated-key",
			file,
			line: index + 1,
			key
		});
		else values.set(key, unescaped(raw.slice(equals + 1)));
	});
	const get = (key) => values.get(key) ?? null;
	const argv = [];
	for (let word = get("argv.0"); word !== null; word = get(`argv.${argv.length}`)) argv.push(word);
	const numbers = [...values.keys()].flatMap((key) => /^(?:runner|command|exit)\.(\d+)$/.exec(key)?.[1] ?? []);
	const later = [...new Set(numbers)].sort((a, b) => Number(a) - Number(b));
	const others = later.map((number) => ({
		runner: get(`runner.${number}`),
		command: get(`command.${number}`),
		finished: get(`finished.${number}`),
		exit: integer(get(`exit.${number}`))
	}));
	const commands = [get("command"), ...later.map((number) => get(`command.${number}`))];
	const olderJUnit = [...values].filter(([key]) => key.startsWith("junit.older.")).map(([, path]) => path);
	const lockPaths = new Map();
	for (const [key, value] of values) if (key === "lockfile") lockPaths.set("lock.copy", value);
	else if (key.startsWith("lockfile.")) lockPaths.set(`lock-${key.slice(9)}.copy`, value);
	return {
		run: {
			runner: get("runner"),
			command: commands.filter((command) => command !== null).join("\n") || get("command"),
			argv,
			cwd: get("cwd"),
			started: get("started"),
			finished: get("finished"),
			exit: integer(get("exit")),
			signal: get("signal"),
			others,
			toolsByPath: get("tools") === "path",
			lockfile: get("lockfile"),
			source: readSource(values),
			script: digest$2(get("capture.sha256")),
			olderJUnit,
			missingJUnit: [...values].filter(([key]) => /^junit\.missing(?:\.\d+)?$/.test(key)).map(([, text]) => text),
			cached: sum([...values].filter(([key]) => /^cached(?:\.\d+)?$/.test(key)).map(([, text]) => text))
		},
		lockPaths,
		problems
	};
}
function sum(numbers) {
	const read = numbers.filter((text) => /^\d{1,6}$/.test(text)).map(Number);
	return read.length === 0 ? null : read.reduce((a, b) => a + b);
}
function unescaped(value) {
	return value.replace(/\\([\\nr])/g, (_, letter) => letter === "n" ? "\n" : letter === "r" ? "\r" : "\\");
}
function integer(value) {
	return value !== null && /^\d{1,3}$/.test(value) ? Number(value) : null;
}
function digest$2(value) {
	return value !== null && /^[0-9a-f]{64}$/.test(value) ? value : null;
}
// src/read/toolchain.ts
const ARCHITECTURE = /^(?:x86_64|amd64|x64|i[3-6]86|x86|aarch64|arm64|armv[5-8]\w*|arm|ppc64le|ppc64|s390x|riscv64|loong64)$/i;
const SYSTEM = /^(?:Linux|Darwin|FreeBSD|OpenBSD|NetBSD|SunOS|MINGW\S*|MSYS\S*|CYGWIN\S*|Windows_NT)$/;
const TOOLS = "python|pip|pytest|uv|poetry|node|npm|pnpm|yarn|bun|deno|go|rustc|cargo|java|mvn|gradle|ruby|gem|bundler|rspec|minitest|dotnet|php";
function uname(text, put) {
	const words = text.trim().split(/\s+/);
	if (!SYSTEM.test(words[0] ?? "")) return false;
	put("os", words[0] ?? "");
	const arch = words.findLast((word) => ARCHITECTURE.test(word));
	if (arch !== void 0) put("arch", arch);
	const kernel = words.slice(1).find((word) => /^\d+\.\d+/.test(word));
	if (kernel !== void 0) put("kernel", kernel);
	if (kernel !== void 0 && words[2] === kernel) put("host", words[1] ?? "");
	return true;
}
function platformTag(tag, put) {
	put("python.platform", tag);
	put("os", tag.startsWith("linux") ? "Linux" : tag.startsWith("macosx") ? "Darwin" : "Windows");
	const arch = tag === "win32" ? "x86" : tag.slice(tag.lastIndexOf("-") + 1);
	if (ARCHITECTURE.test(arch)) put("arch", arch);
}
const OF_SYS_PLATFORM = {
	linux: "Linux",
	linux2: "Linux",
	darwin: "Darwin",
	win32: "Windows"
};
const BARE = [
	{
		like: /^Python (\d+\.\d+\S*)/,
		facts: (m, put) => put("python.version", m[1] ?? "")
	},
	{
		like: /^pytest (\d+\.\d+\S*)/,
		facts: (m, put) => put("pytest.version", m[1] ?? "")
	},
	{
		like: /^pip (\d+\.\d+\S*) from /,
		facts: (m, put) => put("pip.version", m[1] ?? "")
	},
	{
		like: /^uv (\d+\.\d+\S*)/,
		facts: (m, put) => put("uv.version", m[1] ?? "")
	},
	{
		like: /^v(\d+\.\d+\.\d+\S*)$/,
		facts: (m, put) => put("node.version", m[1] ?? "")
	},
	{
		like: /^go version go(\S+) (\w+)\/(\w+)$/,
		facts: (m, put) => {
			put("go.version", m[1] ?? "");
			put("go.GOOS", m[2] ?? "");
			put("go.GOARCH", m[3] ?? "");
		}
	},
	{
		like: /^rustc (\d+\.\d+\.\d+\S*)/,
		facts: (m, put) => put("rustc.version", m[1] ?? "")
	},
	{
		like: /^cargo (\d+\.\d+\.\d+\S*)/,
		facts: (m, put) => put("cargo.version", m[1] ?? "")
	},
	{
		like: /^host: (\S+)$/,
		facts: (m, put) => put("rustc.host", m[1] ?? "")
	},
	{
		like: /^(?:openjdk|java) version "(\d[\w.+-]*)"/,
		facts: (m, put) => put("java.version", m[1] ?? "")
	},
	{
		like: /^(?:openjdk|java) (\d[\w.+-]*) \d{4}-/,
		facts: (m, put) => put("java.version", m[1] ?? "")
	},
	{
		like: /^(.+) (?:Server|Client) VM /,
		facts: (m, put) => put("java.vm", `${m[1]} Server VM`)
	},
	{
		like: /^.+ Runtime Environment \S*(?: ?\S+)* ?\(build (\S+?)\)$/,
		facts: (m, put) => put("java.runtime", m[1] ?? "")
	},
	{
		like: /^Apache Maven (\d+\.\d+\S*)/,
		facts: (m, put) => put("mvn.version", m[1] ?? "")
	},
	{
		like: /^Gradle (\d+\.\d+\S*)$/,
		facts: (m, put) => put("gradle.version", m[1] ?? "")
	},
	{
		like: /^ruby (\d+\.\d+\.\d+)(?:p(\d+))?\b.* \[(\S+)\]$/,
		facts: (m, put) => {
			put("ruby.version", m[1] ?? "");
			if (m[2] !== void 0) put("ruby.patch", m[2]);
			put("ruby.platform", m[3] ?? "");
		}
	},
	{
		like: /^PHP (\d+\.\d+\.\d+\S*) /,
		facts: (m, put) => put("php.version", m[1] ?? "")
	},
	{
		like: /^deno (\d+\.\d+\.\d+\S*)(?: \([^)]*, ([\w-]+)\))?$/,
		facts: (m, put) => {
			put("deno.version", m[1] ?? "");
			if (m[2] !== void 0) put("deno.target", m[2]);
		}
	},
	{
		like: /^v8 (\d+\.\S+)$/,
		facts: (m, put) => put("deno.v8", m[1] ?? "")
	},
	{
		like: /^typescript (\d+\.\S+)$/,
		facts: (m, put) => put("deno.typescript", m[1] ?? "")
	},
	{
		like: /^release: (\S+)$/,
		facts: (m, put) => put("rustc.version", m[1] ?? "")
	},
	{
		like: /^commit-hash: (\S+)$/,
		facts: (m, put) => put("rustc.commit", m[1] ?? "")
	},
	{
		like: /^(?:binary|commit-date|LLVM version): \S+$/,
		facts: () => {}
	},
	{
		like: /^(?:linux-\w+|macosx-[\d.]+-\w+|win-(?:amd64|arm64)|win32)$/,
		facts: (m, put) => platformTag(m[0], put)
	},
	{
		like: /^(?:linux2?|darwin)$/,
		facts: (m, put) => put("os", OF_SYS_PLATFORM[m[0]] ?? m[0])
	},
	{
		like: /^(?:\/|~\/|[A-Za-z]:\\)(?:.*[\\/])?(python|node|go|rustc|cargo|pytest|npm|uv|java|ruby|dotnet|php|deno|bun)[\w.-]*$/,
		facts: (m, put) => put(`${m[1]}.path`, m[0])
	}
];
const KEYED = new Map([
	["date_utc", plain$1("date")],
	["date", plain$1("date")],
	["pwd", plain$1("cwd")],
	["uname", uname],
	["python", (value, put) => value === "" || bare(value, put) || version$2("python", value, put)],
	...[
		"node",
		"npm",
		"pnpm",
		"yarn",
		"bun",
		"deno",
		"go",
		"rustc",
		"cargo",
		"java",
		"ruby",
		"dotnet",
		"php"
	].map((tool) => [tool, (value, put) => value === "" || bare(value, put) || version$2(tool, value, put)])
]);
function plain$1(key) {
	return (value, put) => {
		put(key, value);
		return true;
	};
}
function version$2(tool, value, put) {
	if (!/^v?\d+\.\d+\S*$/.test(value)) return false;
	put(`${tool}.version`, value.replace(/^v/, ""));
	return true;
}
function bare(text, put) {
	for (const shape of BARE) {
		const match = text.match(shape.like);
		if (match !== null) {
			shape.facts(match, put);
			return true;
		}
	}
	if (ARCHITECTURE.test(text)) {
		put("arch", text);
		return true;
	}
	return uname(text, put);
}
const FORMAT_2_KEY = new RegExp(`^(?:schema|os|arch|kernel|distro|libc|emulated|container|host|cpus|tz|locale|(?:env|image|runner|${TOOLS})\\.[A-Za-z0-9_]+)$`);
function readToolchain(file, bytes) {
	const { text, invalidAt } = decodeText(bytes);
	const problems = invalidAt === null ? [] : [{
		kind: "not-utf8",
		file,
		line: invalidAt
	}];
	const lines = text.split(/\r?\n/);
	const format = lines.some((line) => line.trim() === "schema=2") ? 2 : 1;
	const facts = new Map();
	const unrecognised = [];
	lines.forEach((raw, index) => {
		const line = index + 1;
		const content = raw.trim();
		if (content === "") return;
		const put = (key, value) => {
			if (facts.has(key) || value === "") return;
			facts.set(key, {
				value,
				line
			});
		};
		const equals = content.indexOf("=");
		const key = equals > 0 ? content.slice(0, equals) : null;
		if (key !== null && format === 2 && FORMAT_2_KEY.test(key)) {
			if (facts.has(key)) problems.push({
				kind: "repeated-key",
				file,
				line,
				key
			});
			put(key, content.slice(equals + 1));
		} else if (key !== null && format === 1 && (KEYED.get(key)?.(content.slice(equals + 1).trim(), put) ?? false)) return;
		else if (!(format === 1 && bareOrSecondPath(content, put, facts))) unrecognised.push({
			line,
			text: content
		});
	});
	for (const { line, text } of unrecognised) problems.push({
		kind: "unrecognised-line",
		file,
		line,
		text
	});
	return {
		toolchain: {
			file,
			format,
			facts,
			unrecognised
		},
		problems
	};
}
function bareOrSecondPath(text, put, facts) {
	const [path, platform] = /^(\/\S+) (linux2?|darwin|win32)$/.exec(text)?.slice(1) ?? [text];
	if (platform !== void 0) put("os", OF_SYS_PLATFORM[platform] ?? platform);
	if (facts.get("python.path") !== void 0 && path !== void 0 && /[\\/]python[\w.]*(?:\.exe)?$/.test(path)) {
		put("python.realpath", path);
		return true;
	}
	return bare(path ?? text, put);
}
// src/read/bundle-files.ts
const KiB = 1024;
const MiB = 1024 * KiB;
const KINDS$1 = [
	{
		kind: "toolchain",
		name: /^toolchain\.txt$/,
		cap: 64 * KiB
	},
	{
		kind: "run",
		name: /^run\.txt$/,
		cap: 64 * KiB
	},
	{
		kind: "sums",
		name: /^SHA256SUMS$/,
		cap: 64 * KiB
	},
	{
		kind: "exit",
		name: /^[A-Za-z0-9][\w.-]{0,63}\.exit$/,
		cap: 64 * KiB
	},
	{
		kind: "lock",
		name: /^lock(?:-[\w.-]{1,64})?\.copy$/,
		cap: 32 * MiB
	},
	{
		kind: "freeze",
		name: /^freeze(?:-[\w.-]{1,64})?\.txt$/,
		cap: 32 * MiB
	},
	{
		kind: "junit",
		name: /^junit(?:-[\w.-]{1,64})?\.xml$/,
		cap: 128 * MiB
	}
];
const OWN_FILES = [
	"toolchain.txt",
	"run.txt",
	"SHA256SUMS",
	"*.exit",
	"lock.copy",
	"lock-*.copy",
	"freeze.txt",
	"freeze-*.txt",
	"junit.xml",
	"junit-*.xml"
];
function isOwnFile(name) {
	return KINDS$1.some((kind) => kind.name.test(name));
}
const OTHER_NAMES = [
	[/^(\w[\w-]*)\.exit\.txt$/i, "$1.exit"],
	[/^(?:exit[-_.]?(?:code|status)?|rc|status)(?:\.txt)?$/i, "command.exit"],
	[/^(?:results?|test-?results?|report|pytest|test-.*|TEST-.*)\.xml$/i, "junit.xml"],
	[/^(?:tool-?chain|env|environment|versions?)(?:\.\w+)?$/i, "toolchain.txt"],
	[/^(?:pip-?)?(?:freeze|installed)(?:[.-]\w+)*$/i, "freeze.txt"],
	[/^(?:requirements.*|lock(?:file)?\.\w+|.*\.lock|package-lock\.json|go\.sum|pnpm-lock\.yaml)$/i, "lock.copy"]
];
function chooseFiles(entries) {
	const problems = [];
	const files = [];
	const read = new Map();
	for (const entry of entries.toSorted((a, b) => a.name < b.name ? -1 : 1)) {
		const file = entry.name;
		const kind = KINDS$1.find(({ name }) => name.test(file));
		if (kind === void 0) {
			const other = OTHER_NAMES.find(([pattern]) => pattern.test(file));
			problems.push({
				kind: "unexpected-file",
				file,
				expected: other ? file.replace(other[0], other[1]) : null
			});
		} else if (entry.what !== "file") problems.push({
			kind: "not-regular",
			file,
			what: entry.what
		});
		else {
			const sum = (read.get(kind.kind) ?? 0) + entry.size;
			if (sum > kind.cap) problems.push({
				kind: "over-cap",
				file,
				bytes: entry.size,
				cap: kind.cap
			});
			else {
				read.set(kind.kind, sum);
				files.push(entry);
			}
		}
	}
	if (entries.length > 64) problems.unshift({
		kind: "too-many-files",
		count: entries.length,
		cap: 64
	});
	return {
		files: files.slice(0, 64),
		problems: problems.slice(0, 128)
	};
}
function readEvidence(name, contents, problems, written = contents) {
	const found = [...problems];
	let toolchain = null;
	let run = null;
	let lockPaths = new Map();
	const exits = [];
	const freezes = [];
	const locks = [];
	const junit = [];
	const of = (kind) => {
		const pattern = KINDS$1.find((row) => row.kind === kind)?.name;
		return [...contents].filter(([file]) => pattern?.test(file)).map(([file, bytes]) => ({
			file,
			bytes
		}));
	};
	for (const { file, bytes } of of("toolchain")) {
		const read = readToolchain(file, bytes);
		toolchain = read.toolchain;
		found.push(...read.problems);
	}
	for (const { file, bytes } of of("run")) {
		const read = readRun(file, bytes);
		run = read.run;
		lockPaths = read.lockPaths;
		found.push(...read.problems);
	}
	for (const { file, bytes } of of("exit")) {
		const read = readExit(file, bytes);
		exits.push(read.exit);
		found.push(...read.problems);
	}
	for (const { file, bytes } of of("lock")) {
		const none = bytes.length < 64 && Buffer.from(bytes).toString("latin1").trim() === "NO_LOCKFILE";
		locks.push({
			file,
			bytes: none ? new Uint8Array() : bytes,
			none,
			path: lockPaths.get(file) ?? null
		});
	}
	for (const { file, bytes } of of("freeze")) freezes.push(readFreeze(file, bytes));
	junit.push(...of("junit"));
	const tests = readTestReport(junit);
	found.push(...tests.problems);
	for (const { bytes } of of("sums")) found.push(...checkSums(bytes, written, problems));
	return {
		name,
		format: run !== null || toolchain?.format === 2 ? 2 : toolchain === null ? null : 1,
		files: [...contents.keys()],
		exits,
		toolchain,
		run,
		locks,
		freezes,
		tests: tests.report,
		problems: found
	};
}
function checkSums(bytes, contents, unread) {
	const listed = new Map();
	for (const line of Buffer.from(bytes).toString("utf8").split(/\r?\n/)) {
		const match = /^([0-9a-f]{64}) [ *](.+)$/.exec(line);
		if (match?.[1] !== void 0 && match[2] !== void 0) listed.set(match[2], match[1]);
	}
	const told = new Set(unread.flatMap((problem) => "file" in problem ? [problem.file] : []));
	const changed = [...contents].flatMap(([file, content]) => {
		const sum = listed.get(file);
		if (file === "SHA256SUMS" || sum === sha256(content)) return [];
		return [{
			kind: sum !== void 0 && isConverted(content, sum) ? "line-endings" : "edited-after-capture",
			file
		}];
	});
	const removed = [...listed.keys()].filter((file) => !contents.has(file) && !told.has(file));
	return [...changed, ...removed.map((file) => ({
		kind: "edited-after-capture",
		file
	}))].slice(0, 64);
}
function isConverted(content, sum) {
	const lines = Buffer.from(content).toString("latin1").replaceAll("\r\n", "\n");
	return [lines, lines.replaceAll("\n", "\r\n")].some((one) => sha256(Buffer.from(one, "latin1")) === sum);
}
function sha256(bytes) {
	return createHash("sha256").update(bytes).digest("hex");
}
// node_modules/boundary/lib/index.js
var require_lib = __commonJSMin(((exports) => {
	Object.defineProperty(exports, "__esModule", { value: true });
	exports.binarySearch = exports.upperBound = exports.lowerBound = exports.compare = void 0;
	function compare(v1, v2) {
		return v1 < v2;
	}
	exports.compare = compare;
	function upperBound(array, value, comp = compare) {
		let len = array.length;
		let i = 0;
		while (len) {
			let diff = len >>> 1;
			let cursor = i + diff;
			if (comp(value, array[cursor])) len = diff;
			else {
				i = cursor + 1;
				len -= diff + 1;
			}
		}
		return i;
	}
	exports.upperBound = upperBound;
	function lowerBound(array, value, comp = compare) {
		let len = array.length;
		let i = 0;
		while (len) {
			let diff = len >>> 1;
			let cursor = i + diff;
			if (comp(array[cursor], value)) {
				i = cursor + 1;
				len -= diff + 1;
			} else len = diff;
		}
		return i;
	}
	exports.lowerBound = lowerBound;
	function binarySearch(array, value, comp = compare) {
		let cursor = lowerBound(array, value, comp);
		return cursor !== array.length && !comp(value, array[cursor]);
	}
	exports.binarySearch = binarySearch;
}));
// node_modules/@secretlint/core/module/helper/invariant.js
var import_structured_source = __commonJSMin(((exports) => {
	Object.defineProperty(exports, "__esModule", { value: true });
	exports.StructuredSource = void 0;
	const boundary_1 = require_lib();
	var StructuredSource = class {
		constructor(source) {
			this.indice = [0];
			let regexp = /[\r\n\u2028\u2029]/g;
			const length = source.length;
			regexp.lastIndex = 0;
			while (true) {
				let result = regexp.exec(source);
				if (!result) break;
				let index = result.index;
				if (source.charCodeAt(index) === 13 && source.charCodeAt(index + 1) === 10) index += 1;
				let nextIndex = index + 1;
				if (length < nextIndex) break;
				this.indice.push(nextIndex);
				regexp.lastIndex = nextIndex;
			}
		}
		get line() {
			return this.indice.length;
		}
		locationToRange(loc) {
			return [this.positionToIndex(loc.start), this.positionToIndex(loc.end)];
		}
		rangeToLocation(range) {
			return {
				start: this.indexToPosition(range[0]),
				end: this.indexToPosition(range[1])
			};
		}
		positionToIndex(pos) {
			return this.indice[pos.line - 1] + pos.column;
		}
		indexToPosition(index) {
			const startLine = (0, boundary_1.upperBound)(this.indice, index);
			return {
				line: startLine,
				column: index - this.indice[startLine - 1]
			};
		}
	};
	exports.StructuredSource = StructuredSource;
}))();
function invariant(condition, message) {
	if (!condition) throw new Error(message);
}
// node_modules/@secretlint/core/module/SecretLintSourceCodeImpl.js
var SecretLintSourceCodeImpl = class {
	hasBOM;
	content;
	filePath;
	physicalFilePath;
	contentType;
	ext;
	structuredSource;
	constructor({ content = "", ext, filePath, physicalFilePath, contentType }) {
		invariant(ext || filePath, "should be set either of fileExt or filePath.");
		this.hasBOM = content.charCodeAt(0) === 65279;
		this.content = this.hasBOM ? content.slice(1) : content;
		this.structuredSource = new import_structured_source.StructuredSource(this.content);
		this.filePath = filePath;
		this.physicalFilePath = physicalFilePath;
		this.contentType = contentType;
		this.ext = ext;
	}
	getFilePath() {
		return this.filePath;
	}
	getPhysicalFilePath() {
		return this.physicalFilePath;
	}
	locationToRange(loc) {
		return this.structuredSource.locationToRange(loc);
	}
	rangeToLocation(range) {
		const location = this.structuredSource.rangeToLocation(range);
		return {
			start: {
				line: location.start.line,
				column: location.start.column
			},
			end: {
				line: location.end.line,
				column: location.end.column
			}
		};
	}
	positionToIndex(pos) {
		return this.structuredSource.positionToIndex(pos);
	}
	indexToPosition(index) {
		const position = this.structuredSource.indexToPosition(index);
		return {
			line: position.line,
			column: position.column
		};
	}
};
// node_modules/@secretlint/core/module/helper/promise-event-emitter.js
var EventEmitter = class {
	#listeners = new Map();
	on(type, listener) {
		const listenerSet = this.#listeners.get(type) ?? new Set();
		listenerSet?.add(listener);
		this.#listeners.set(type, listenerSet);
	}
	emit(type, ...args) {
		const listenerSet = this.#listeners.get(type);
		if (!listenerSet) return;
		for (const listenerSetElement of listenerSet) listenerSetElement(...args);
	}
	off(type, listener) {
		const listenerSet = this.#listeners.get(type);
		if (!listenerSet) return;
		for (const listenerSetElement of listenerSet) if (listenerSetElement === listener) listenerSet.delete(listener);
	}
	removeAllListeners() {
		this.#listeners.clear();
	}
	listenerCount(type) {
		return this.#listeners.get(type)?.size ?? 0;
	}
	listeners(type) {
		return Array.from(this.#listeners.get(type) ?? []);
	}
};
var PromiseEventEmitter = class {
	events;
	constructor() {
		this.events = new EventEmitter();
	}
	listenerCount(type) {
		return this.events.listenerCount(type);
	}
	on(event, listener) {
		return this.events.on(event, listener);
	}
	emit(event, ...args) {
		const promises = [];
		this.events.listeners(event).forEach((listener) => {
			promises.push(listener(...args));
		});
		return Promise.all(promises);
	}
};
// node_modules/@secretlint/core/module/helper/SecretLintRuleMessageTranslator.js
const DEFAULT_LOCAL = "en";
const formatMessage = (messageHandler, props) => {
	if (typeof props !== "object" || props === null) return messageHandler();
	return messageHandler(props);
};
const getMatchedLocaleMessage = (locale, locales) => {
	const localKeys = Object.keys(locales);
	const matchLocale = localKeys.find((key) => {
		return key === locale;
	});
	if (matchLocale) return matchLocale;
	const [lang] = locale.split("-");
	if (!lang) return DEFAULT_LOCAL;
	const fallbackMatchLocal = localKeys.find((key) => {
		return key === lang;
	});
	if (fallbackMatchLocal) return fallbackMatchLocal;
	return DEFAULT_LOCAL;
};
const createTranslator = (messages, options) => {
	return (messageId, props) => {
		const messageHandler = messages[messageId];
		if (!messageHandler) throw new Error(`messages:${String(messageId)} is missing in messages.`);
		if (typeof messageHandler === "function") {
			if (typeof messageId !== "string") throw new Error(`message's key:${String(messageId)} should be string`);
			return {
				message: formatMessage(messageHandler, props),
				messageId,
				data: props
			};
		}
		const defaultLocal = options && options.defaultLocale ? options.defaultLocale : DEFAULT_LOCAL;
		const locale = getMatchedLocaleMessage(defaultLocal, messageHandler);
		const localizedMessage = messageHandler[locale];
		if (!localizedMessage) {
			if (messageHandler[DEFAULT_LOCAL]) throw new Error(`messages${String(messageId)}.${locale} is missing in messages.`);
			throw new Error(`message's key:${String(messageId)}.${DEFAULT_LOCAL} should be defined in messages.`);
		}
		if (typeof messageId !== "string") throw new Error(`message's key:${String(messageId)}.${DEFAULT_LOCAL} should be string`);
		return {
			message: formatMessage(localizedMessage, props),
			messageId,
			data: props
		};
	};
};
// node_modules/@secretlint/core/module/RuleContext.js
const createContextEvents = () => {
	const contextEvents = new EventEmitter();
	const REPORT_SYMBOL = Symbol("report");
	const IGNORE_SYMBOL = Symbol("ignore");
	return {
		report(descriptor) {
			contextEvents.emit(REPORT_SYMBOL, descriptor);
		},
		onReport(handler) {
			const listener = (descriptor) => {
				handler(descriptor);
			};
			contextEvents.on(REPORT_SYMBOL, listener);
			return () => {
				contextEvents.off(REPORT_SYMBOL, listener);
			};
		},
		ignore(descriptor) {
			contextEvents.emit(IGNORE_SYMBOL, descriptor);
		},
		onIgnore(handler) {
			const listener = (descriptor) => {
				handler(descriptor);
			};
			contextEvents.on(IGNORE_SYMBOL, listener);
			return () => {
				contextEvents.off(IGNORE_SYMBOL, listener);
			};
		}
	};
};
const createRuleContext = ({ ruleId, ruleParentId, meta, severity, sourceCode, contextEvents, sharedOptions, locale }) => {
	return {
		sharedOptions,
		createTranslator: (messages) => {
			return createTranslator(messages, { defaultLocale: locale });
		},
		ignore(descriptor) {
			const { message } = descriptor.message;
			contextEvents.ignore({
				type: "ignore",
				ruleId,
				ruleParentId,
				range: descriptor.range,
				targetRuleId: descriptor.targetRuleId,
				loc: sourceCode.rangeToLocation(descriptor.range),
				message
			});
		},
		report(descriptor) {
			const { message, messageId, data } = descriptor.message;
			const severityLevel = severity ?? "error";
			if (ruleParentId) contextEvents.report({
				...descriptor,
				type: "message",
				ruleId,
				ruleParentId,
				loc: sourceCode.rangeToLocation(descriptor.range),
				severity: severityLevel,
				message,
				messageId,
				docsUrl: meta.docs?.url ? `${meta.docs.url}#${messageId}` : void 0,
				data
			});
			else contextEvents.report({
				...descriptor,
				type: "message",
				ruleId,
				loc: sourceCode.rangeToLocation(descriptor.range),
				severity: severityLevel,
				message,
				messageId,
				docsUrl: meta.docs?.url ? `${meta.docs.url}#${messageId}` : void 0,
				data
			});
		}
	};
};
// node_modules/@secretlint/core/module/SecretLintRuleImpl.js
var SecretLintRule = class {
	ruleReportHandle;
	ruleCreator;
	descriptorRule;
	constructor({ descriptorRule, context }) {
		this.descriptorRule = descriptorRule;
		this.ruleCreator = descriptorRule.rule;
		const ruleCreatorOptions = descriptorRule.options || {};
		this.ruleReportHandle = this.ruleCreator.create(context, ruleCreatorOptions);
	}
	allowMessageIds() {
		if (!this.descriptorRule.allowMessageIds) return [];
		const ruleId = this.ruleCreator.meta.id;
		return this.descriptorRule.allowMessageIds.map((allowMessageId) => {
			return {
				messageId: allowMessageId,
				ruleId
			};
		});
	}
	supportSourceCode(sourceCode) {
		const contentType = sourceCode.contentType;
		if (contentType === "unknown") return true;
		if (this.ruleCreator.meta.supportedContentTypes.includes("all")) return true;
		return this.ruleCreator.meta.supportedContentTypes.includes(contentType);
	}
	async file(source) {
		const file = this.ruleReportHandle.file;
		if (!file) return;
		return file(source);
	}
};
// node_modules/@secretlint/profiler/module/index.js
var SecretLintProfiler = class {
	perf;
	entries = [];
	measures = [];
	executionPromises = [];
	constructor(options) {
		this.perf = options.perf;
		const pattern = /(.*?)::end(\|\|.*)?/;
		new options.PerformanceObserver((items) => {
			items.getEntries().forEach((entry) => {
				if (entry.entryType === "mark") {
					const match = entry.name.match(pattern);
					const endIdentifier = match ? match[1] : void 0;
					const suffix = match && match[2] ? match[2] : "";
					if (endIdentifier) {
						const startIdentifier = `${endIdentifier}::start`;
						this.entries.find((savedEntry) => {
							return savedEntry.name === startIdentifier;
						});
						if (startIdentifier) this.executionPromises.push(Promise.resolve().then(() => {
							this.perf.measure(endIdentifier + suffix, `${endIdentifier}::start${suffix}`, `${endIdentifier}::end${suffix}`);
						}));
					}
					this.entries.push(entry);
				} else if (entry.entryType === "measure") this.measures.push(entry);
			});
		}).observe({ entryTypes: ["mark", "measure"] });
	}
	mark(marker) {
		if ("id" in marker) this.perf.mark(`${marker.type}||${marker.id}`);
		else this.perf.mark(marker.type);
	}
	waifForExecutionPromises = () => {
		return Promise.all(this.executionPromises).finally(() => {
			this.executionPromises.length = 0;
		});
	};
	async getEntries() {
		await this.waifForExecutionPromises();
		return this.entries;
	}
	async getMeasures() {
		await this.waifForExecutionPromises();
		return this.measures;
	}
};
// node_modules/@secretlint/profiler/module/node.js
var NullPerformanceObserver = class {
	disconnect() {}
	observe(_options) {}
};
const secretLintProfiler = new SecretLintProfiler({
	perf: perf_hooks.performance,
	PerformanceObserver: perf_hooks.PerformanceObserver ? perf_hooks.PerformanceObserver : NullPerformanceObserver
});
// node_modules/@secretlint/core/module/RunningEvents.js
const createRunningEvents = () => {
	const contextEvents = new PromiseEventEmitter();
	const registerSet = new Set();
	const LINT_HANDLE = Symbol("lint:start");
	const rules = [];
	return {
		collectAllowMessageIds() {
			const allowMessageIds = [];
			rules.forEach((rule) => {
				allowMessageIds.push(...rule.allowMessageIds());
			});
			return allowMessageIds;
		},
		runLint(options) {
			return contextEvents.emit(LINT_HANDLE, options);
		},
		registerRule({ descriptorRule, context }) {
			if (registerSet.has(descriptorRule.id)) throw new Error(`rule.id:${descriptorRule.id} is already registered.
                
Duplicated rule.id is something wrong in .secretlintrc.                
`);
			registerSet.add(descriptorRule.id);
			const rule = new SecretLintRule({
				descriptorRule,
				context
			});
			rules.push(rule);
			contextEvents.on(LINT_HANDLE, async ({ sourceCode }) => {
				secretLintProfiler.mark({
					type: "@core>rule-handler::start",
					id: descriptorRule.rule.meta.id
				});
				if (rule.supportSourceCode(sourceCode)) await rule.file(sourceCode);
				secretLintProfiler.mark({
					type: "@core>rule-handler::end",
					id: descriptorRule.rule.meta.id
				});
			});
		},
		registerRulePreset({ descriptorRulePreset, context }) {
			const rulePresetCreatorOptions = descriptorRulePreset.options || [];
			descriptorRulePreset.rule.create(context, rulePresetCreatorOptions);
		},
		isRegistered(ruleId) {
			return registerSet.has(ruleId);
		}
	};
};
// node_modules/@secretlint/core/module/RulePresetContext.js
const createRulePresetContext = ({ configRulePreset, sourceCode, runningEvents, contextEvents, sharedOptions, locale }) => {
	const presetRules = configRulePreset.rules || [];
	if (!Array.isArray(presetRules)) {
		console.error(`${configRulePreset.id}:PresetRules is invalid format`, presetRules);
		throw new Error("preset's rules should be an array of rule definitions");
	}
	return {
		sharedOptions,
		registerRule(rule, defaultValue) {
			const descriptorRule = presetRules.find((descriptorRule) => {
				return descriptorRule.id === rule.meta.id;
			});
			const descriptorRuleOptions = descriptorRule ? descriptorRule.options : void 0;
			const descriptorRuleDisabled = descriptorRule ? descriptorRule.disabled : void 0;
			const descriptorRuleSeverity = descriptorRule ? descriptorRule.severity : void 0;
			const descriptorAllowMessageIds = descriptorRule ? descriptorRule.allowMessageIds : void 0;
			const context = createRuleContext({
				ruleId: rule.meta.id,
				ruleParentId: configRulePreset.id,
				meta: rule.meta,
				severity: descriptorRuleSeverity,
				sourceCode,
				contextEvents,
				sharedOptions,
				locale
			});
			const defaultValueOfPreset = defaultValue ? defaultValue : {};
			runningEvents.registerRule({
				descriptorRule: {
					...defaultValueOfPreset,
					...descriptorRule,
					id: rule.meta.id,
					options: descriptorRuleOptions,
					rule,
					disabled: descriptorRuleDisabled,
					allowMessageIds: descriptorAllowMessageIds,
					severity: descriptorRuleSeverity
				},
				context
			});
		}
	};
};
// node_modules/@secretlint/core/module/messages/filter-ignored-process.js
const isContainedRange = (index, range) => {
	const [start, end] = range;
	return start <= index && index <= end;
};
function filterIgnoredMessages(options) {
	const reportedMessages = options.reportedMessages;
	const ignoreMessages = options.ignoredMessages;
	return reportedMessages.filter((message) => {
		return !ignoreMessages.some((ignoreMessage) => {
			const isInIgnoringRange = isContainedRange(message.range[0], ignoreMessage.range) && isContainedRange(message.range[1], ignoreMessage.range);
			if (isInIgnoringRange && ignoreMessage.targetRuleId) {
				if (ignoreMessage.targetRuleId === "*") return true;
				return message.ruleId === ignoreMessage.targetRuleId;
			}
			return isInIgnoringRange;
		});
	});
}
// node_modules/@secretlint/core/module/messages/MessageProcessManager.js
const createMessageProcessor = (processors) => {
	return { process(messages) {
		const originalMessages = messages;
		if (processors.length === 0) throw new Error("processors should be > 0");
		return processors.reduce((messages, filter) => {
			return filter(messages);
		}, originalMessages);
	} };
};
// node_modules/@secretlint/core/module/messages/filter-duplicated-process.js
const isEqualMessage = (aMessage, bMessage) => {
	return aMessage.range[0] === bMessage.range[0] && aMessage.range[1] === bMessage.range[1] && "severity" in aMessage && "severity" in bMessage && aMessage.severity === bMessage.severity && aMessage.message === bMessage.message;
};
function filterDuplicatedMessages(messages = []) {
	return messages.filter((message, index) => {
		return !messages.slice(index + 1).some((restMessage) => {
			return isEqualMessage(message, restMessage);
		});
	});
}
// node_modules/@secretlint/core/module/messages/sort-messages-process.js
function sortMessagesByLocation(messages) {
	return messages.sort(function(a, b) {
		const startIndexDiff = a.range[0] - b.range[0];
		if (startIndexDiff === 0) return a.range[1] - b.range[1];
		else return startIndexDiff;
	});
}
// node_modules/@secretlint/core/module/messages/filter-message-id.js
const filterByAllowMessageIds = (messages, allowMessageIds) => {
	const disabledSet = new Set(allowMessageIds.map((allowMessage) => {
		return `${allowMessage.ruleId}--${allowMessage.messageId}`;
	}));
	return messages.filter((message) => {
		return !disabledSet.has(`${message.ruleId}--${message.messageId}`);
	});
};
// node_modules/@secretlint/core/module/messages/filter-mask-secrets.js
const deepMask = (object, handler) => {
	for (const key of Object.keys(object)) if (typeof object[key] === "object") object[key] = deepMask(object[key], handler);
	else if (Array.isArray(object[key])) object[key] = object[key].map((item) => deepMask(item, handler));
	else if (typeof object[key] === "string") object[key] = handler(object[key]);
	return object;
};
const createMaskValue = (value) => {
	return "*".repeat(value.length);
};
const maskWithValues = (str, maskedValues) => {
	let result = str;
	for (const maskValue of maskedValues) result = result.replaceAll(maskValue, "*".repeat(maskValue.length));
	return result;
};
const filterMaskSecretsData = (messages = []) => {
	return messages.map((message) => {
		if (message.type !== "message") return message;
		const maskedValues = [];
		const maskedData = message.data ? deepMask(message.data, (value) => {
			maskedValues.push(value);
			return createMaskValue(value);
		}) : void 0;
		if (!maskedData) return message;
		const maskedMessage = maskWithValues(message.message, maskedValues);
		return {
			...message,
			message: maskedMessage,
			data: maskedData
		};
	});
};
// node_modules/@secretlint/core/module/messages/index.js
const cleanupMessages = (options) => {
	const reportedMessages = filterIgnoredMessages(options);
	const reportedMessagesWithoutAllowMessageIds = filterByAllowMessageIds(reportedMessages, options.allowMessageIds);
	const filters = options.maskSecrets ? [filterDuplicatedMessages, filterMaskSecretsData] : [filterDuplicatedMessages];
	return sortMessagesByLocation(createMessageProcessor(filters).process(reportedMessagesWithoutAllowMessageIds));
};
// node_modules/ms/index.js
var require_ms = __commonJSMin(((exports, module) => {
	var s = 1e3;
	var m = s * 60;
	var h = m * 60;
	var d = h * 24;
	var w = d * 7;
	var y = d * 365.25;
	module.exports = function(val, options) {
		options = options || {};
		var type = typeof val;
		if (type === "string" && val.length > 0) return parse(val);
		else if (type === "number" && isFinite(val)) return options.long ? fmtLong(val) : fmtShort(val);
		throw new Error("val is not a non-empty string or a valid number. val=" + JSON.stringify(val));
	};
	function parse(str) {
		str = String(str);
		if (str.length > 100) return;
		var match = /^(-?(?:\d+)?\.?\d+) *(milliseconds?|msecs?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d|weeks?|w|years?|yrs?|y)?$/i.exec(str);
		if (!match) return;
		var n = parseFloat(match[1]);
		switch ((match[2] || "ms").toLowerCase()) {
			case "years":
			case "year":
			case "yrs":
			case "yr":
			case "y": return n * y;
			case "weeks":
			case "week":
			case "w": return n * w;
			case "days":
			case "day":
			case "d": return n * d;
			case "hours":
			case "hour":
			case "hrs":
			case "hr":
			case "h": return n * h;
			case "minutes":
			case "minute":
			case "mins":
			case "min":
			case "m": return n * m;
			case "seconds":
			case "second":
			case "secs":
			case "sec":
			case "s": return n * s;
			case "milliseconds":
			case "millisecond":
			case "msecs":
			case "msec":
			case "ms": return n;
			default: return;
		}
	}
	function fmtShort(ms) {
		var msAbs = Math.abs(ms);
		if (msAbs >= d) return Math.round(ms / d) + "d";
		if (msAbs >= h) return Math.round(ms / h) + "h";
		if (msAbs >= m) return Math.round(ms / m) + "m";
		if (msAbs >= s) return Math.round(ms / s) + "s";
		return ms + "ms";
	}
	function fmtLong(ms) {
		var msAbs = Math.abs(ms);
		if (msAbs >= d) return plural(ms, msAbs, d, "day");
		if (msAbs >= h) return plural(ms, msAbs, h, "hour");
		if (msAbs >= m) return plural(ms, msAbs, m, "minute");
		if (msAbs >= s) return plural(ms, msAbs, s, "second");
		return ms + " ms";
	}
	function plural(ms, msAbs, n, name) {
		var isPlural = msAbs >= n * 1.5;
		return Math.round(ms / n) + " " + name + (isPlural ? "s" : "");
	}
}));
// node_modules/debug/src/common.js
var require_common = __commonJSMin(((exports, module) => {
	function setup(env) {
		createDebug.debug = createDebug;
		createDebug.default = createDebug;
		createDebug.coerce = coerce;
		createDebug.disable = disable;
		createDebug.enable = enable;
		createDebug.enabled = enabled;
		createDebug.humanize = require_ms();
		createDebug.destroy = destroy;
		Object.keys(env).forEach((key) => {
			createDebug[key] = env[key];
		});
		createDebug.names = [];
		createDebug.skips = [];
		createDebug.formatters = {};
		function selectColor(namespace) {
			let hash = 0;
			for (let i = 0; i < namespace.length; i++) {
				hash = (hash << 5) - hash + namespace.charCodeAt(i);
				hash |= 0;
			}
			return createDebug.colors[Math.abs(hash) % createDebug.colors.length];
		}
		createDebug.selectColor = selectColor;
		function createDebug(namespace) {
			let prevTime;
			let enableOverride = null;
			let namespacesCache;
			let enabledCache;
			function debug(...args) {
				if (!debug.enabled) return;
				const self = debug;
				const curr = Number(new Date());
				self.diff = curr - (prevTime || curr);
				self.prev = prevTime;
				self.curr = curr;
				prevTime = curr;
				args[0] = createDebug.coerce(args[0]);
				if (typeof args[0] !== "string") args.unshift("%O");
				let index = 0;
				args[0] = args[0].replace(/%([a-zA-Z%])/g, (match, format) => {
					if (match === "%%") return "%";
					index++;
					const formatter = createDebug.formatters[format];
					if (typeof formatter === "function") {
						const val = args[index];
						match = formatter.call(self, val);
						args.splice(index, 1);
						index--;
					}
					return match;
				});
				createDebug.formatArgs.call(self, args);
				(self.log || createDebug.log).apply(self, args);
			}
			debug.namespace = namespace;
			debug.useColors = createDebug.useColors();
			debug.color = createDebug.selectColor(namespace);
			debug.extend = extend;
			debug.destroy = createDebug.destroy;
			Object.defineProperty(debug, "enabled", {
				enumerable: true,
				configurable: false,
				get: () => {
					if (enableOverride !== null) return enableOverride;
					if (namespacesCache !== createDebug.namespaces) {
						namespacesCache = createDebug.namespaces;
						enabledCache = createDebug.enabled(namespace);
					}
					return enabledCache;
				},
				set: (v) => {
					enableOverride = v;
				}
			});
			if (typeof createDebug.init === "function") createDebug.init(debug);
			return debug;
		}
		function extend(namespace, delimiter) {
			const newDebug = createDebug(this.namespace + (typeof delimiter === "undefined" ? ":" : delimiter) + namespace);
			newDebug.log = this.log;
			return newDebug;
		}
		function enable(namespaces) {
			createDebug.save(namespaces);
			createDebug.namespaces = namespaces;
			createDebug.names = [];
			createDebug.skips = [];
			const split = (typeof namespaces === "string" ? namespaces : "").trim().replace(/\s+/g, ",").split(",").filter(Boolean);
			for (const ns of split) if (ns[0] === "-") createDebug.skips.push(ns.slice(1));
			else createDebug.names.push(ns);
		}
		function matchesTemplate(search, template) {
			let searchIndex = 0;
			let templateIndex = 0;
			let starIndex = -1;
			let matchIndex = 0;
			while (searchIndex < search.length) if (templateIndex < template.length && (template[templateIndex] === search[searchIndex] || template[templateIndex] === "*")) {
				if (template[templateIndex] === "*") {
					starIndex = templateIndex;
					matchIndex = searchIndex;
					templateIndex++;
				} else {
					searchIndex++;
					templateIndex++;
				}
			} else if (starIndex !== -1) {
				templateIndex = starIndex + 1;
				matchIndex++;
				searchIndex = matchIndex;
			} else return false;
			while (templateIndex < template.length && template[templateIndex] === "*") templateIndex++;
			return templateIndex === template.length;
		}
		function disable() {
			const namespaces = [...createDebug.names, ...createDebug.skips.map((namespace) => "-" + namespace)].join(",");
			createDebug.enable("");
			return namespaces;
		}
		function enabled(name) {
			for (const skip of createDebug.skips) if (matchesTemplate(name, skip)) return false;
			for (const ns of createDebug.names) if (matchesTemplate(name, ns)) return true;
			return false;
		}
		function coerce(val) {
			if (val instanceof Error) return val.stack || val.message;
			return val;
		}
		function destroy() {
			console.warn("Instance method `debug.destroy()` is deprecated and no longer does anything. It will be removed in the next major version of `debug`.");
		}
		createDebug.enable(createDebug.load());
		return createDebug;
	}
	module.exports = setup;
}));
// node_modules/debug/src/browser.js
var require_browser = __commonJSMin(((exports, module) => {
	exports.formatArgs = formatArgs;
	exports.save = save;
	exports.load = load;
	exports.useColors = useColors;
	exports.storage = localstorage();
	exports.destroy = (() => {
		let warned = false;
		return () => {
			if (!warned) {
				warned = true;
				console.warn("Instance method `debug.destroy()` is deprecated and no longer does anything. It will be removed in the next major version of `debug`.");
			}
		};
	})();
	exports.colors = [
		"#0000CC",
		"#0000FF",
		"#0033CC",
		"#0033FF",
		"#0066CC",
		"#0066FF",
		"#0099CC",
		"#0099FF",
		"#00CC00",
		"#00CC33",
		"#00CC66",
		"#00CC99",
		"#00CCCC",
		"#00CCFF",
		"#3300CC",
		"#3300FF",
		"#3333CC",
		"#3333FF",
		"#3366CC",
		"#3366FF",
		"#3399CC",
		"#3399FF",
		"#33CC00",
		"#33CC33",
		"#33CC66",
		"#33CC99",
		"#33CCCC",
		"#33CCFF",
		"#6600CC",
		"#6600FF",
		"#6633CC",
		"#6633FF",
		"#66CC00",
		"#66CC33",
		"#9900CC",
		"#9900FF",
		"#9933CC",
		"#9933FF",
		"#99CC00",
		"#99CC33",
		"#CC0000",
		"#CC0033",
		"#CC0066",
		"#CC0099",
		"#CC00CC",
		"#CC00FF",
		"#CC3300",
		"#CC3333",
		"#CC3366",
		"#CC3399",
		"#CC33CC",
		"#CC33FF",
		"#CC6600",
		"#CC6633",
		"#CC9900",
		"#CC9933",
		"#CCCC00",
		"#CCCC33",
		"#FF0000",
		"#FF0033",
		"#FF0066",
		"#FF0099",
		"#FF00CC",
		"#FF00FF",
		"#FF3300",
		"#FF3333",
		"#FF3366",
		"#FF3399",
		"#FF33CC",
		"#FF33FF",
		"#FF6600",
		"#FF6633",
		"#FF9900",
		"#FF9933",
		"#FFCC00",
		"#FFCC33"
	];
	function useColors() {
		if (typeof window !== "undefined" && window.process && (window.process.type === "renderer" || window.process.__nwjs)) return true;
		if (typeof navigator !== "undefined" && navigator.userAgent && navigator.userAgent.toLowerCase().match(/(edge|trident)\/(\d+)/)) return false;
		let m;
		return typeof document !== "undefined" && document.documentElement && document.documentElement.style && document.documentElement.style.WebkitAppearance || typeof window !== "undefined" && window.console && (window.console.firebug || window.console.exception && window.console.table) || typeof navigator !== "undefined" && navigator.userAgent && (m = navigator.userAgent.toLowerCase().match(/firefox\/(\d+)/)) && parseInt(m[1], 10) >= 31 || typeof navigator !== "undefined" && navigator.userAgent && navigator.userAgent.toLowerCase().match(/applewebkit\/(\d+)/);
	}
	function formatArgs(args) {
		args[0] = (this.useColors ? "%c" : "") + this.namespace + (this.useColors ? " %c" : " ") + args[0] + (this.useColors ? "%c " : " ") + "+" + module.exports.humanize(this.diff);
		if (!this.useColors) return;
		const c = "color: " + this.color;
		args.splice(1, 0, c, "color: inherit");
		let index = 0;
		let lastC = 0;
		args[0].replace(/%[a-zA-Z%]/g, (match) => {
			if (match === "%%") return;
			index++;
			if (match === "%c") lastC = index;
		});
		args.splice(lastC, 0, c);
	}
	exports.log = console.debug || console.log || (() => {});
	function save(namespaces) {
		try {
			if (namespaces) exports.storage.setItem("debug", namespaces);
			else exports.storage.removeItem("debug");
		} catch (error) {}
	}
	function load() {
		let r;
		try {
			r = exports.storage.getItem("debug") || exports.storage.getItem("DEBUG");
		} catch (error) {}
		if (!r && typeof process !== "undefined" && "env" in process) r = process.env.DEBUG;
		return r;
	}
	function localstorage() {
		try {
			return localStorage;
		} catch (error) {}
	}
	module.exports = require_common()(exports);
	const { formatters } = module.exports;
	formatters.j = function(v) {
		try {
			return JSON.stringify(v);
		} catch (error) {
			return "[UnexpectedJSONParseError]: " + error.message;
		}
	};
}));
// node_modules/debug/src/node.js
var require_node = __commonJSMin(((exports, module) => {
	const tty = __require("tty");
	const util = __require("util");
	exports.init = init;
	exports.log = log;
	exports.formatArgs = formatArgs;
	exports.save = save;
	exports.load = load;
	exports.useColors = useColors;
	exports.destroy = util.deprecate(() => {}, "Instance method `debug.destroy()` is deprecated and no longer does anything. It will be removed in the next major version of `debug`.");
	exports.colors = [
		6,
		2,
		3,
		4,
		5,
		1
	];
	try {
		const supportsColor = __require("supports-color");
		if (supportsColor && (supportsColor.stderr || supportsColor).level >= 2) exports.colors = [
			20,
			21,
			26,
			27,
			32,
			33,
			38,
			39,
			40,
			41,
			42,
			43,
			44,
			45,
			56,
			57,
			62,
			63,
			68,
			69,
			74,
			75,
			76,
			77,
			78,
			79,
			80,
			81,
			92,
			93,
			98,
			99,
			112,
			113,
			128,
			129,
			134,
			135,
			148,
			149,
			160,
			161,
			162,
			163,
			164,
			165,
			166,
			167,
			168,
			169,
			170,
			171,
			172,
			173,
			178,
			179,
			184,
			185,
			196,
			197,
			198,
			199,
			200,
			201,
			202,
			203,
			204,
			205,
			206,
			207,
			208,
			209,
			214,
			215,
			220,
			221
		];
	} catch (error) {}
	exports.inspectOpts = Object.keys(process.env).filter((key) => {
		return /^debug_/i.test(key);
	}).reduce((obj, key) => {
		const prop = key.substring(6).toLowerCase().replace(/_([a-z])/g, (_, k) => {
			return k.toUpperCase();
		});
		let val = process.env[key];
		if (/^(yes|on|true|enabled)$/i.test(val)) val = true;
		else if (/^(no|off|false|disabled)$/i.test(val)) val = false;
		else if (val === "null") val = null;
		else val = Number(val);
		obj[prop] = val;
		return obj;
	}, {});
	function useColors() {
		return "colors" in exports.inspectOpts ? Boolean(exports.inspectOpts.colors) : tty.isatty(process.stderr.fd);
	}
	function formatArgs(args) {
		const { namespace: name, useColors } = this;
		if (useColors) {
			const c = this.color;
			const colorCode = "\x1B[3" + (c < 8 ? c : "8;5;" + c);
			const prefix = `  ${colorCode};1m${name} \u001B[0m`;
			args[0] = prefix + args[0].split("\n").join("\n" + prefix);
			args.push(colorCode + "m+" + module.exports.humanize(this.diff) + "\x1B[0m");
		} else args[0] = getDate() + name + " " + args[0];
	}
	function getDate() {
		if (exports.inspectOpts.hideDate) return "";
		return new Date().toISOString() + " ";
	}
	function log(...args) {
		return process.stderr.write(util.formatWithOptions(exports.inspectOpts, ...args) + "\n");
	}
	function save(namespaces) {
		if (namespaces) process.env.DEBUG = namespaces;
		else delete process.env.DEBUG;
	}
	function load() {
		return process.env.DEBUG;
	}
	function init(debug) {
		debug.inspectOpts = {};
		const keys = Object.keys(exports.inspectOpts);
		for (let i = 0; i < keys.length; i++) debug.inspectOpts[keys[i]] = exports.inspectOpts[keys[i]];
	}
	module.exports = require_common()(exports);
	const { formatters } = module.exports;
	formatters.o = function(v) {
		this.inspectOpts.colors = this.useColors;
		return util.inspect(v, this.inspectOpts).split("\n").map((str) => str.trim()).join(" ");
	};
	formatters.O = function(v) {
		this.inspectOpts.colors = this.useColors;
		return util.inspect(v, this.inspectOpts);
	};
}));
const debug = (0, __toESM(__commonJSMin(((exports, module) => {
	if (typeof process === "undefined" || process.type === "renderer" || process.browser === true || process.__nwjs) module.exports = require_browser();
	else module.exports = require_node();
}))(), 1).default)("@secretlint/core");
const lintSource = ({ source, options }) => {
	secretLintProfiler.mark({
		type: "@core>lint::start",
		id: source.filePath
	});
	debug(`source filePath: %O`, source.filePath);
	debug(`options: %O`, options);
	const rules = options.config.rules;
	const locale = options.locale ?? "en";
	const maskSecrets = options.maskSecrets ?? false;
	const contextEvents = createContextEvents();
	const runningEvents = createRunningEvents();
	const reportedMessages = [];
	const ignoredMessages = [];
	contextEvents.onReport((message) => {
		reportedMessages.push(message);
	});
	contextEvents.onIgnore((message) => {
		ignoredMessages.push(message);
	});
	const sourceCode = new SecretLintSourceCodeImpl({
		content: source.content,
		filePath: source.filePath,
		physicalFilePath: options.noPhysicFilePath ? void 0 : source.filePath,
		ext: source.ext || "",
		contentType: source.contentType
	});
	secretLintProfiler.mark({ type: "@core>setup-rules::start" });
	rules.forEach((rule) => {
		secretLintProfiler.mark({
			type: "@core>setup-rule::start",
			id: rule.rule.meta.id
		});
		registerRule({
			sourceCode,
			config: options.config,
			descriptorRule: rule,
			contextEvents,
			runningEvents,
			locale
		});
		secretLintProfiler.mark({
			type: "@core>setup-rule::end",
			id: rule.rule.meta.id
		});
	});
	secretLintProfiler.mark({ type: "@core>setup-rules::end" });
	return runningEvents.runLint({ sourceCode }).then(() => {
		return {
			filePath: source.filePath,
			sourceContent: source.contentType === "text" ? source.content : void 0,
			sourceContentType: source.contentType,
			messages: cleanupMessages({
				reportedMessages,
				ignoredMessages,
				allowMessageIds: runningEvents.collectAllowMessageIds(),
				maskSecrets
			})
		};
	}).finally(() => {
		secretLintProfiler.mark({
			type: "@core>lint::end",
			id: source.filePath
		});
	});
};
const isRulePreset = (ruleDescriptor) => {
	return ruleDescriptor.rule.meta.type === "preset";
};
const isRule = (ruleDescriptor) => {
	return ruleDescriptor.rule.meta.type === "scanner";
};
const registerRule = ({ sourceCode, config, descriptorRule, contextEvents, runningEvents, locale }) => {
	const ruleId = descriptorRule.id;
	if (descriptorRule.disabled) {
		debug("Skip registerRule %s, because it is disabled", ruleId);
		return;
	}
	debug("registerRule %s", ruleId);
	const sharedOptionsWithDefault = config.sharedOptions ?? {};
	if (isRulePreset(descriptorRule)) {
		const context = createRulePresetContext({
			configRulePreset: descriptorRule,
			sourceCode,
			contextEvents,
			runningEvents,
			sharedOptions: sharedOptionsWithDefault,
			locale
		});
		runningEvents.registerRulePreset({
			descriptorRulePreset: descriptorRule,
			context
		});
		return;
	} else if (isRule(descriptorRule)) {
		const context = createRuleContext({
			ruleId,
			severity: descriptorRule.severity,
			meta: descriptorRule.rule.meta,
			sourceCode,
			contextEvents,
			sharedOptions: sharedOptionsWithDefault,
			locale
		});
		runningEvents.registerRule({
			descriptorRule,
			context
		});
		return;
	}
	throw new Error(`Unknown descriptor type: ${descriptorRule}`);
};
// node_modules/@secretlint/secretlint-rule-preset-recommend/module/index.js
var commonjsGlobal = typeof globalThis !== "undefined" ? globalThis : typeof window !== "undefined" ? window : typeof global !== "undefined" ? global : typeof self !== "undefined" ? self : {};
var regexpStringMatcher = {};
var lodash_uniq;
var hasRequiredLodash_uniq;
function requireLodash_uniq() {
	if (hasRequiredLodash_uniq) return lodash_uniq;
	hasRequiredLodash_uniq = 1;
	var LARGE_ARRAY_SIZE = 200;
	var HASH_UNDEFINED = "__lodash_hash_undefined__";
	var INFINITY = 1 / 0;
	var funcTag = "[object Function]", genTag = "[object GeneratorFunction]";
	var reRegExpChar = /[\\^$.*+?()[\]{}|]/g;
	var reIsHostCtor = /^\[object .+?Constructor\]$/;
	var freeGlobal = typeof commonjsGlobal == "object" && commonjsGlobal && commonjsGlobal.Object === Object && commonjsGlobal;
	var freeSelf = typeof self == "object" && self && self.Object === Object && self;
	var root = freeGlobal || freeSelf || Function("return this")();
	function arrayIncludes(array, value) {
		return !!(array ? array.length : 0) && baseIndexOf(array, value, 0) > -1;
	}
	function baseFindIndex(array, predicate, fromIndex, fromRight) {
		var length = array.length, index = fromIndex + -1;
		while (++index < length) if (predicate(array[index], index, array)) return index;
		return -1;
	}
	function baseIndexOf(array, value, fromIndex) {
		if (value !== value) return baseFindIndex(array, baseIsNaN, fromIndex);
		var index = fromIndex - 1, length = array.length;
		while (++index < length) if (array[index] === value) return index;
		return -1;
	}
	function baseIsNaN(value) {
		return value !== value;
	}
	function cacheHas(cache, key) {
		return cache.has(key);
	}
	function getValue(object, key) {
		return object == null ? void 0 : object[key];
	}
	function isHostObject(value) {
		var result = false;
		if (value != null && typeof value.toString != "function") try {
			result = !!(value + "");
		} catch (e) {}
		return result;
	}
	function setToArray(set) {
		var index = -1, result = Array(set.size);
		set.forEach(function(value) {
			result[++index] = value;
		});
		return result;
	}
	var arrayProto = Array.prototype, funcProto = Function.prototype, objectProto = Object.prototype;
	var coreJsData = root["__core-js_shared__"];
	var maskSrcKey = function() {
		var uid = /[^.]+$/.exec(coreJsData && coreJsData.keys && coreJsData.keys.IE_PROTO || "");
		return uid ? "Symbol(src)_1." + uid : "";
	}();
	var funcToString = funcProto.toString;
	var hasOwnProperty = objectProto.hasOwnProperty;
	var objectToString = objectProto.toString;
	var reIsNative = RegExp("^" + funcToString.call(hasOwnProperty).replace(reRegExpChar, "\\$&").replace(/hasOwnProperty|(function).*?(?=\\\()| for .+?(?=\\\])/g, "$1.*?") + "$");
	var splice = arrayProto.splice;
	var Map = getNative(root, "Map"), Set = getNative(root, "Set"), nativeCreate = getNative(Object, "create");
	function Hash(entries) {
		var index = -1, length = entries ? entries.length : 0;
		this.clear();
		while (++index < length) {
			var entry = entries[index];
			this.set(entry[0], entry[1]);
		}
	}
	function hashClear() {
		this.__data__ = nativeCreate ? nativeCreate(null) : {};
	}
	function hashDelete(key) {
		return this.has(key) && delete this.__data__[key];
	}
	function hashGet(key) {
		var data = this.__data__;
		if (nativeCreate) {
			var result = data[key];
			return result === HASH_UNDEFINED ? void 0 : result;
		}
		return hasOwnProperty.call(data, key) ? data[key] : void 0;
	}
	function hashHas(key) {
		var data = this.__data__;
		return nativeCreate ? data[key] !== void 0 : hasOwnProperty.call(data, key);
	}
	function hashSet(key, value) {
		var data = this.__data__;
		data[key] = nativeCreate && value === void 0 ? HASH_UNDEFINED : value;
		return this;
	}
	Hash.prototype.clear = hashClear;
	Hash.prototype["delete"] = hashDelete;
	Hash.prototype.get = hashGet;
	Hash.prototype.has = hashHas;
	Hash.prototype.set = hashSet;
	function ListCache(entries) {
		var index = -1, length = entries ? entries.length : 0;
		this.clear();
		while (++index < length) {
			var entry = entries[index];
			this.set(entry[0], entry[1]);
		}
	}
	function listCacheClear() {
		this.__data__ = [];
	}
	function listCacheDelete(key) {
		var data = this.__data__, index = assocIndexOf(data, key);
		if (index < 0) return false;
		if (index == data.length - 1) data.pop();
		else splice.call(data, index, 1);
		return true;
	}
	function listCacheGet(key) {
		var data = this.__data__, index = assocIndexOf(data, key);
		return index < 0 ? void 0 : data[index][1];
	}
	function listCacheHas(key) {
		return assocIndexOf(this.__data__, key) > -1;
	}
	function listCacheSet(key, value) {
		var data = this.__data__, index = assocIndexOf(data, key);
		if (index < 0) data.push([key, value]);
		else data[index][1] = value;
		return this;
	}
	ListCache.prototype.clear = listCacheClear;
	ListCache.prototype["delete"] = listCacheDelete;
	ListCache.prototype.get = listCacheGet;
	ListCache.prototype.has = listCacheHas;
	ListCache.prototype.set = listCacheSet;
	function MapCache(entries) {
		var index = -1, length = entries ? entries.length : 0;
		this.clear();
		while (++index < length) {
			var entry = entries[index];
			this.set(entry[0], entry[1]);
		}
	}
	function mapCacheClear() {
		this.__data__ = {
			"hash": new Hash(),
			"map": new (Map || ListCache)(),
			"string": new Hash()
		};
	}
	function mapCacheDelete(key) {
		return getMapData(this, key)["delete"](key);
	}
	function mapCacheGet(key) {
		return getMapData(this, key).get(key);
	}
	function mapCacheHas(key) {
		return getMapData(this, key).has(key);
	}
	function mapCacheSet(key, value) {
		getMapData(this, key).set(key, value);
		return this;
	}
	MapCache.prototype.clear = mapCacheClear;
	MapCache.prototype["delete"] = mapCacheDelete;
	MapCache.prototype.get = mapCacheGet;
	MapCache.prototype.has = mapCacheHas;
	MapCache.prototype.set = mapCacheSet;
	function SetCache(values) {
		var index = -1, length = values ? values.length : 0;
		this.__data__ = new MapCache();
		while (++index < length) this.add(values[index]);
	}
	function setCacheAdd(value) {
		this.__data__.set(value, HASH_UNDEFINED);
		return this;
	}
	function setCacheHas(value) {
		return this.__data__.has(value);
	}
	SetCache.prototype.add = SetCache.prototype.push = setCacheAdd;
	SetCache.prototype.has = setCacheHas;
	function assocIndexOf(array, key) {
		var length = array.length;
		while (length--) if (eq(array[length][0], key)) return length;
		return -1;
	}
	function baseIsNative(value) {
		if (!isObject(value) || isMasked(value)) return false;
		return (isFunction(value) || isHostObject(value) ? reIsNative : reIsHostCtor).test(toSource(value));
	}
	function baseUniq(array, iteratee, comparator) {
		var index = -1, includes = arrayIncludes, length = array.length, isCommon = true, result = [], seen = result;
		if (length >= LARGE_ARRAY_SIZE) {
			var set = createSet(array);
			if (set) return setToArray(set);
			isCommon = false;
			includes = cacheHas;
			seen = new SetCache();
		} else seen = result;
		outer: while (++index < length) {
			var value = array[index], computed = value;
			value = value !== 0 ? value : 0;
			if (isCommon && computed === computed) {
				var seenIndex = seen.length;
				while (seenIndex--) if (seen[seenIndex] === computed) continue outer;
				result.push(value);
			} else if (!includes(seen, computed, comparator)) {
				if (seen !== result) seen.push(computed);
				result.push(value);
			}
		}
		return result;
	}
	var createSet = !(Set && 1 / setToArray(new Set([, -0]))[1] == INFINITY) ? noop : function(values) {
		return new Set(values);
	};
	function getMapData(map, key) {
		var data = map.__data__;
		return isKeyable(key) ? data[typeof key == "string" ? "string" : "hash"] : data.map;
	}
	function getNative(object, key) {
		var value = getValue(object, key);
		return baseIsNative(value) ? value : void 0;
	}
	function isKeyable(value) {
		var type = typeof value;
		return type == "string" || type == "number" || type == "symbol" || type == "boolean" ? value !== "__proto__" : value === null;
	}
	function isMasked(func) {
		return !!maskSrcKey && maskSrcKey in func;
	}
	function toSource(func) {
		if (func != null) {
			try {
				return funcToString.call(func);
			} catch (e) {}
			try {
				return func + "";
			} catch (e) {}
		}
		return "";
	}
	function uniq(array) {
		return array && array.length ? baseUniq(array) : [];
	}
	function eq(value, other) {
		return value === other || value !== value && other !== other;
	}
	function isFunction(value) {
		var tag = isObject(value) ? objectToString.call(value) : "";
		return tag == funcTag || tag == genTag;
	}
	function isObject(value) {
		var type = typeof value;
		return !!value && (type == "object" || type == "function");
	}
	function noop() {}
	lodash_uniq = uniq;
	return lodash_uniq;
}
var lodash_uniqwith;
var hasRequiredLodash_uniqwith;
function requireLodash_uniqwith() {
	if (hasRequiredLodash_uniqwith) return lodash_uniqwith;
	hasRequiredLodash_uniqwith = 1;
	var LARGE_ARRAY_SIZE = 200;
	var HASH_UNDEFINED = "__lodash_hash_undefined__";
	var INFINITY = 1 / 0;
	var funcTag = "[object Function]", genTag = "[object GeneratorFunction]";
	var reRegExpChar = /[\\^$.*+?()[\]{}|]/g;
	var reIsHostCtor = /^\[object .+?Constructor\]$/;
	var freeGlobal = typeof commonjsGlobal == "object" && commonjsGlobal && commonjsGlobal.Object === Object && commonjsGlobal;
	var freeSelf = typeof self == "object" && self && self.Object === Object && self;
	var root = freeGlobal || freeSelf || Function("return this")();
	function arrayIncludes(array, value) {
		return !!(array ? array.length : 0) && baseIndexOf(array, value, 0) > -1;
	}
	function arrayIncludesWith(array, value, comparator) {
		var index = -1, length = array ? array.length : 0;
		while (++index < length) if (comparator(value, array[index])) return true;
		return false;
	}
	function baseFindIndex(array, predicate, fromIndex, fromRight) {
		var length = array.length, index = fromIndex + -1;
		while (++index < length) if (predicate(array[index], index, array)) return index;
		return -1;
	}
	function baseIndexOf(array, value, fromIndex) {
		if (value !== value) return baseFindIndex(array, baseIsNaN, fromIndex);
		var index = fromIndex - 1, length = array.length;
		while (++index < length) if (array[index] === value) return index;
		return -1;
	}
	function baseIsNaN(value) {
		return value !== value;
	}
	function cacheHas(cache, key) {
		return cache.has(key);
	}
	function getValue(object, key) {
		return object == null ? void 0 : object[key];
	}
	function isHostObject(value) {
		var result = false;
		if (value != null && typeof value.toString != "function") try {
			result = !!(value + "");
		} catch (e) {}
		return result;
	}
	function setToArray(set) {
		var index = -1, result = Array(set.size);
		set.forEach(function(value) {
			result[++index] = value;
		});
		return result;
	}
	var arrayProto = Array.prototype, funcProto = Function.prototype, objectProto = Object.prototype;
	var coreJsData = root["__core-js_shared__"];
	var maskSrcKey = function() {
		var uid = /[^.]+$/.exec(coreJsData && coreJsData.keys && coreJsData.keys.IE_PROTO || "");
		return uid ? "Symbol(src)_1." + uid : "";
	}();
	var funcToString = funcProto.toString;
	var hasOwnProperty = objectProto.hasOwnProperty;
	var objectToString = objectProto.toString;
	var reIsNative = RegExp("^" + funcToString.call(hasOwnProperty).replace(reRegExpChar, "\\$&").replace(/hasOwnProperty|(function).*?(?=\\\()| for .+?(?=\\\])/g, "$1.*?") + "$");
	var splice = arrayProto.splice;
	var Map = getNative(root, "Map"), Set = getNative(root, "Set"), nativeCreate = getNative(Object, "create");
	function Hash(entries) {
		var index = -1, length = entries ? entries.length : 0;
		this.clear();
		while (++index < length) {
			var entry = entries[index];
			this.set(entry[0], entry[1]);
		}
	}
	function hashClear() {
		this.__data__ = nativeCreate ? nativeCreate(null) : {};
	}
	function hashDelete(key) {
		return this.has(key) && delete this.__data__[key];
	}
	function hashGet(key) {
		var data = this.__data__;
		if (nativeCreate) {
			var result = data[key];
			return result === HASH_UNDEFINED ? void 0 : result;
		}
		return hasOwnProperty.call(data, key) ? data[key] : void 0;
	}
	function hashHas(key) {
		var data = this.__data__;
		return nativeCreate ? data[key] !== void 0 : hasOwnProperty.call(data, key);
	}
	function hashSet(key, value) {
		var data = this.__data__;
		data[key] = nativeCreate && value === void 0 ? HASH_UNDEFINED : value;
		return this;
	}
	Hash.prototype.clear = hashClear;
	Hash.prototype["delete"] = hashDelete;
	Hash.prototype.get = hashGet;
	Hash.prototype.has = hashHas;
	Hash.prototype.set = hashSet;
	function ListCache(entries) {
		var index = -1, length = entries ? entries.length : 0;
		this.clear();
		while (++index < length) {
			var entry = entries[index];
			this.set(entry[0], entry[1]);
		}
	}
	function listCacheClear() {
		this.__data__ = [];
	}
	function listCacheDelete(key) {
		var data = this.__data__, index = assocIndexOf(data, key);
		if (index < 0) return false;
		if (index == data.length - 1) data.pop();
		else splice.call(data, index, 1);
		return true;
	}
	function listCacheGet(key) {
		var data = this.__data__, index = assocIndexOf(data, key);
		return index < 0 ? void 0 : data[index][1];
	}
	function listCacheHas(key) {
		return assocIndexOf(this.__data__, key) > -1;
	}
	function listCacheSet(key, value) {
		var data = this.__data__, index = assocIndexOf(data, key);
		if (index < 0) data.push([key, value]);
		else data[index][1] = value;
		return this;
	}
	ListCache.prototype.clear = listCacheClear;
	ListCache.prototype["delete"] = listCacheDelete;
	ListCache.prototype.get = listCacheGet;
	ListCache.prototype.has = listCacheHas;
	ListCache.prototype.set = listCacheSet;
	function MapCache(entries) {
		var index = -1, length = entries ? entries.length : 0;
		this.clear();
		while (++index < length) {
			var entry = entries[index];
			this.set(entry[0], entry[1]);
		}
	}
	function mapCacheClear() {
		this.__data__ = {
			"hash": new Hash(),
			"map": new (Map || ListCache)(),
			"string": new Hash()
		};
	}
	function mapCacheDelete(key) {
		return getMapData(this, key)["delete"](key);
	}
	function mapCacheGet(key) {
		return getMapData(this, key).get(key);
	}
	function mapCacheHas(key) {
		return getMapData(this, key).has(key);
	}
	function mapCacheSet(key, value) {
		getMapData(this, key).set(key, value);
		return this;
	}
	MapCache.prototype.clear = mapCacheClear;
	MapCache.prototype["delete"] = mapCacheDelete;
	MapCache.prototype.get = mapCacheGet;
	MapCache.prototype.has = mapCacheHas;
	MapCache.prototype.set = mapCacheSet;
	function SetCache(values) {
		var index = -1, length = values ? values.length : 0;
		this.__data__ = new MapCache();
		while (++index < length) this.add(values[index]);
	}
	function setCacheAdd(value) {
		this.__data__.set(value, HASH_UNDEFINED);
		return this;
	}
	function setCacheHas(value) {
		return this.__data__.has(value);
	}
	SetCache.prototype.add = SetCache.prototype.push = setCacheAdd;
	SetCache.prototype.has = setCacheHas;
	function assocIndexOf(array, key) {
		var length = array.length;
		while (length--) if (eq(array[length][0], key)) return length;
		return -1;
	}
	function baseIsNative(value) {
		if (!isObject(value) || isMasked(value)) return false;
		return (isFunction(value) || isHostObject(value) ? reIsNative : reIsHostCtor).test(toSource(value));
	}
	function baseUniq(array, iteratee, comparator) {
		var index = -1, includes = arrayIncludes, length = array.length, isCommon = true, result = [], seen = result;
		if (comparator) {
			isCommon = false;
			includes = arrayIncludesWith;
		} else if (length >= LARGE_ARRAY_SIZE) {
			var set = createSet(array);
			if (set) return setToArray(set);
			isCommon = false;
			includes = cacheHas;
			seen = new SetCache();
		} else seen = result;
		outer: while (++index < length) {
			var value = array[index], computed = value;
			value = comparator || value !== 0 ? value : 0;
			if (isCommon && computed === computed) {
				var seenIndex = seen.length;
				while (seenIndex--) if (seen[seenIndex] === computed) continue outer;
				result.push(value);
			} else if (!includes(seen, computed, comparator)) {
				if (seen !== result) seen.push(computed);
				result.push(value);
			}
		}
		return result;
	}
	var createSet = !(Set && 1 / setToArray(new Set([, -0]))[1] == INFINITY) ? noop : function(values) {
		return new Set(values);
	};
	function getMapData(map, key) {
		var data = map.__data__;
		return isKeyable(key) ? data[typeof key == "string" ? "string" : "hash"] : data.map;
	}
	function getNative(object, key) {
		var value = getValue(object, key);
		return baseIsNative(value) ? value : void 0;
	}
	function isKeyable(value) {
		var type = typeof value;
		return type == "string" || type == "number" || type == "symbol" || type == "boolean" ? value !== "__proto__" : value === null;
	}
	function isMasked(func) {
		return !!maskSrcKey && maskSrcKey in func;
	}
	function toSource(func) {
		if (func != null) {
			try {
				return funcToString.call(func);
			} catch (e) {}
			try {
				return func + "";
			} catch (e) {}
		}
		return "";
	}
	function uniqWith(array, comparator) {
		return array && array.length ? baseUniq(array, void 0, comparator) : [];
	}
	function eq(value, other) {
		return value === other || value !== value && other !== other;
	}
	function isFunction(value) {
		var tag = isObject(value) ? objectToString.call(value) : "";
		return tag == funcTag || tag == genTag;
	}
	function isObject(value) {
		var type = typeof value;
		return !!value && (type == "object" || type == "function");
	}
	function noop() {}
	lodash_uniqwith = uniqWith;
	return lodash_uniqwith;
}
var lodash_sortby = { exports: {} };
lodash_sortby.exports;
var hasRequiredLodash_sortby;
function requireLodash_sortby() {
	if (hasRequiredLodash_sortby) return lodash_sortby.exports;
	hasRequiredLodash_sortby = 1;
	(function(module, exports$1) {
		var FUNC_ERROR_TEXT = "Expected a function";
		var HASH_UNDEFINED = "__lodash_hash_undefined__";
		var UNORDERED_COMPARE_FLAG = 1, PARTIAL_COMPARE_FLAG = 2;
		var MAX_SAFE_INTEGER = 0x1fffffffffffff;
		var argsTag = "[object Arguments]", arrayTag = "[object Array]", boolTag = "[object Boolean]", dateTag = "[object Date]", errorTag = "[object Error]", funcTag = "[object Function]", genTag = "[object GeneratorFunction]", mapTag = "[object Map]", numberTag = "[object Number]", objectTag = "[object Object]", promiseTag = "[object Promise]", regexpTag = "[object RegExp]", setTag = "[object Set]", stringTag = "[object String]", symbolTag = "[object Symbol]", weakMapTag = "[object WeakMap]";
		var arrayBufferTag = "[object ArrayBuffer]", dataViewTag = "[object DataView]", float32Tag = "[object Float32Array]", float64Tag = "[object Float64Array]", int8Tag = "[object Int8Array]", int16Tag = "[object Int16Array]", int32Tag = "[object Int32Array]", uint8Tag = "[object Uint8Array]", uint8ClampedTag = "[object Uint8ClampedArray]", uint16Tag = "[object Uint16Array]", uint32Tag = "[object Uint32Array]";
		var reIsDeepProp = /\.|\[(?:[^[\]]*|(["'])(?:(?!\1)[^\\]|\\.)*?\1)\]/, reIsPlainProp = /^\w*$/, reLeadingDot = /^\./, rePropName = /[^.[\]]+|\[(?:(-?\d+(?:\.\d+)?)|(["'])((?:(?!\2)[^\\]|\\.)*?)\2)\]|(?=(?:\.|\[\])(?:\.|\[\]|$))/g;
		var reRegExpChar = /[\\^$.*+?()[\]{}|]/g;
		var reEscapeChar = /\\(\\)?/g;
		var reIsHostCtor = /^\[object .+?Constructor\]$/;
		var reIsUint = /^(?:0|[1-9]\d*)$/;
		var typedArrayTags = {};
		typedArrayTags[float32Tag] = typedArrayTags[float64Tag] = typedArrayTags[int8Tag] = typedArrayTags[int16Tag] = typedArrayTags[int32Tag] = typedArrayTags[uint8Tag] = typedArrayTags[uint8ClampedTag] = typedArrayTags[uint16Tag] = typedArrayTags[uint32Tag] = true;
		typedArrayTags[argsTag] = typedArrayTags[arrayTag] = typedArrayTags[arrayBufferTag] = typedArrayTags[boolTag] = typedArrayTags[dataViewTag] = typedArrayTags[dateTag] = typedArrayTags[errorTag] = typedArrayTags[funcTag] = typedArrayTags[mapTag] = typedArrayTags[numberTag] = typedArrayTags[objectTag] = typedArrayTags[regexpTag] = typedArrayTags[setTag] = typedArrayTags[stringTag] = typedArrayTags[weakMapTag] = false;
		var freeGlobal = typeof commonjsGlobal == "object" && commonjsGlobal && commonjsGlobal.Object === Object && commonjsGlobal;
		var freeSelf = typeof self == "object" && self && self.Object === Object && self;
		var root = freeGlobal || freeSelf || Function("return this")();
		var freeExports = exports$1 && !exports$1.nodeType && exports$1;
		var freeModule = freeExports && module && !module.nodeType && module;
		var freeProcess = freeModule && freeModule.exports === freeExports && freeGlobal.process;
		var nodeUtil = function() {
			try {
				return freeProcess && freeProcess.binding("util");
			} catch (e) {}
		}();
		var nodeIsTypedArray = nodeUtil && nodeUtil.isTypedArray;
		function apply(func, thisArg, args) {
			switch (args.length) {
				case 0: return func.call(thisArg);
				case 1: return func.call(thisArg, args[0]);
				case 2: return func.call(thisArg, args[0], args[1]);
				case 3: return func.call(thisArg, args[0], args[1], args[2]);
			}
			return func.apply(thisArg, args);
		}
		function arrayMap(array, iteratee) {
			var index = -1, length = array ? array.length : 0, result = Array(length);
			while (++index < length) result[index] = iteratee(array[index], index, array);
			return result;
		}
		function arrayPush(array, values) {
			var index = -1, length = values.length, offset = array.length;
			while (++index < length) array[offset + index] = values[index];
			return array;
		}
		function arraySome(array, predicate) {
			var index = -1, length = array ? array.length : 0;
			while (++index < length) if (predicate(array[index], index, array)) return true;
			return false;
		}
		function baseProperty(key) {
			return function(object) {
				return object == null ? void 0 : object[key];
			};
		}
		function baseSortBy(array, comparer) {
			var length = array.length;
			array.sort(comparer);
			while (length--) array[length] = array[length].value;
			return array;
		}
		function baseTimes(n, iteratee) {
			var index = -1, result = Array(n);
			while (++index < n) result[index] = iteratee(index);
			return result;
		}
		function baseUnary(func) {
			return function(value) {
				return func(value);
			};
		}
		function getValue(object, key) {
			return object == null ? void 0 : object[key];
		}
		function isHostObject(value) {
			var result = false;
			if (value != null && typeof value.toString != "function") try {
				result = !!(value + "");
			} catch (e) {}
			return result;
		}
		function mapToArray(map) {
			var index = -1, result = Array(map.size);
			map.forEach(function(value, key) {
				result[++index] = [key, value];
			});
			return result;
		}
		function overArg(func, transform) {
			return function(arg) {
				return func(transform(arg));
			};
		}
		function setToArray(set) {
			var index = -1, result = Array(set.size);
			set.forEach(function(value) {
				result[++index] = value;
			});
			return result;
		}
		var arrayProto = Array.prototype, funcProto = Function.prototype, objectProto = Object.prototype;
		var coreJsData = root["__core-js_shared__"];
		var maskSrcKey = function() {
			var uid = /[^.]+$/.exec(coreJsData && coreJsData.keys && coreJsData.keys.IE_PROTO || "");
			return uid ? "Symbol(src)_1." + uid : "";
		}();
		var funcToString = funcProto.toString;
		var hasOwnProperty = objectProto.hasOwnProperty;
		var objectToString = objectProto.toString;
		var reIsNative = RegExp("^" + funcToString.call(hasOwnProperty).replace(reRegExpChar, "\\$&").replace(/hasOwnProperty|(function).*?(?=\\\()| for .+?(?=\\\])/g, "$1.*?") + "$");
		var Symbol = root.Symbol, Uint8Array = root.Uint8Array, propertyIsEnumerable = objectProto.propertyIsEnumerable, splice = arrayProto.splice, spreadableSymbol = Symbol ? Symbol.isConcatSpreadable : void 0;
		var nativeKeys = overArg(Object.keys, Object), nativeMax = Math.max;
		var DataView = getNative(root, "DataView"), Map = getNative(root, "Map"), Promise$1 = getNative(root, "Promise"), Set = getNative(root, "Set"), WeakMap = getNative(root, "WeakMap"), nativeCreate = getNative(Object, "create");
		var dataViewCtorString = toSource(DataView), mapCtorString = toSource(Map), promiseCtorString = toSource(Promise$1), setCtorString = toSource(Set), weakMapCtorString = toSource(WeakMap);
		var symbolProto = Symbol ? Symbol.prototype : void 0, symbolValueOf = symbolProto ? symbolProto.valueOf : void 0, symbolToString = symbolProto ? symbolProto.toString : void 0;
		function Hash(entries) {
			var index = -1, length = entries ? entries.length : 0;
			this.clear();
			while (++index < length) {
				var entry = entries[index];
				this.set(entry[0], entry[1]);
			}
		}
		function hashClear() {
			this.__data__ = nativeCreate ? nativeCreate(null) : {};
		}
		function hashDelete(key) {
			return this.has(key) && delete this.__data__[key];
		}
		function hashGet(key) {
			var data = this.__data__;
			if (nativeCreate) {
				var result = data[key];
				return result === HASH_UNDEFINED ? void 0 : result;
			}
			return hasOwnProperty.call(data, key) ? data[key] : void 0;
		}
		function hashHas(key) {
			var data = this.__data__;
			return nativeCreate ? data[key] !== void 0 : hasOwnProperty.call(data, key);
		}
		function hashSet(key, value) {
			var data = this.__data__;
			data[key] = nativeCreate && value === void 0 ? HASH_UNDEFINED : value;
			return this;
		}
		Hash.prototype.clear = hashClear;
		Hash.prototype["delete"] = hashDelete;
		Hash.prototype.get = hashGet;
		Hash.prototype.has = hashHas;
		Hash.prototype.set = hashSet;
		function ListCache(entries) {
			var index = -1, length = entries ? entries.length : 0;
			this.clear();
			while (++index < length) {
				var entry = entries[index];
				this.set(entry[0], entry[1]);
			}
		}
		function listCacheClear() {
			this.__data__ = [];
		}
		function listCacheDelete(key) {
			var data = this.__data__, index = assocIndexOf(data, key);
			if (index < 0) return false;
			if (index == data.length - 1) data.pop();
			else splice.call(data, index, 1);
			return true;
		}
		function listCacheGet(key) {
			var data = this.__data__, index = assocIndexOf(data, key);
			return index < 0 ? void 0 : data[index][1];
		}
		function listCacheHas(key) {
			return assocIndexOf(this.__data__, key) > -1;
		}
		function listCacheSet(key, value) {
			var data = this.__data__, index = assocIndexOf(data, key);
			if (index < 0) data.push([key, value]);
			else data[index][1] = value;
			return this;
		}
		ListCache.prototype.clear = listCacheClear;
		ListCache.prototype["delete"] = listCacheDelete;
		ListCache.prototype.get = listCacheGet;
		ListCache.prototype.has = listCacheHas;
		ListCache.prototype.set = listCacheSet;
		function MapCache(entries) {
			var index = -1, length = entries ? entries.length : 0;
			this.clear();
			while (++index < length) {
				var entry = entries[index];
				this.set(entry[0], entry[1]);
			}
		}
		function mapCacheClear() {
			this.__data__ = {
				"hash": new Hash(),
				"map": new (Map || ListCache)(),
				"string": new Hash()
			};
		}
		function mapCacheDelete(key) {
			return getMapData(this, key)["delete"](key);
		}
		function mapCacheGet(key) {
			return getMapData(this, key).get(key);
		}
		function mapCacheHas(key) {
			return getMapData(this, key).has(key);
		}
		function mapCacheSet(key, value) {
			getMapData(this, key).set(key, value);
			return this;
		}
		MapCache.prototype.clear = mapCacheClear;
		MapCache.prototype["delete"] = mapCacheDelete;
		MapCache.prototype.get = mapCacheGet;
		MapCache.prototype.has = mapCacheHas;
		MapCache.prototype.set = mapCacheSet;
		function SetCache(values) {
			var index = -1, length = values ? values.length : 0;
			this.__data__ = new MapCache();
			while (++index < length) this.add(values[index]);
		}
		function setCacheAdd(value) {
			this.__data__.set(value, HASH_UNDEFINED);
			return this;
		}
		function setCacheHas(value) {
			return this.__data__.has(value);
		}
		SetCache.prototype.add = SetCache.prototype.push = setCacheAdd;
		SetCache.prototype.has = setCacheHas;
		function Stack(entries) {
			this.__data__ = new ListCache(entries);
		}
		function stackClear() {
			this.__data__ = new ListCache();
		}
		function stackDelete(key) {
			return this.__data__["delete"](key);
		}
		function stackGet(key) {
			return this.__data__.get(key);
		}
		function stackHas(key) {
			return this.__data__.has(key);
		}
		function stackSet(key, value) {
			var cache = this.__data__;
			if (cache instanceof ListCache) {
				var pairs = cache.__data__;
				if (!Map || pairs.length < 199) {
					pairs.push([key, value]);
					return this;
				}
				cache = this.__data__ = new MapCache(pairs);
			}
			cache.set(key, value);
			return this;
		}
		Stack.prototype.clear = stackClear;
		Stack.prototype["delete"] = stackDelete;
		Stack.prototype.get = stackGet;
		Stack.prototype.has = stackHas;
		Stack.prototype.set = stackSet;
		function arrayLikeKeys(value, inherited) {
			var result = isArray(value) || isArguments(value) ? baseTimes(value.length, String) : [];
			var length = result.length, skipIndexes = !!length;
			for (var key in value) if (hasOwnProperty.call(value, key) && !(skipIndexes && (key == "length" || isIndex(key, length)))) result.push(key);
			return result;
		}
		function assocIndexOf(array, key) {
			var length = array.length;
			while (length--) if (eq(array[length][0], key)) return length;
			return -1;
		}
		var baseEach = createBaseEach(baseForOwn);
		function baseFlatten(array, depth, predicate, isStrict, result) {
			var index = -1, length = array.length;
			predicate || (predicate = isFlattenable);
			result || (result = []);
			while (++index < length) {
				var value = array[index];
				if (predicate(value)) arrayPush(result, value);
				else result[result.length] = value;
			}
			return result;
		}
		var baseFor = createBaseFor();
		function baseForOwn(object, iteratee) {
			return object && baseFor(object, iteratee, keys);
		}
		function baseGet(object, path) {
			path = isKey(path, object) ? [path] : castPath(path);
			var index = 0, length = path.length;
			while (object != null && index < length) object = object[toKey(path[index++])];
			return index && index == length ? object : void 0;
		}
		function baseGetTag(value) {
			return objectToString.call(value);
		}
		function baseHasIn(object, key) {
			return object != null && key in Object(object);
		}
		function baseIsEqual(value, other, customizer, bitmask, stack) {
			if (value === other) return true;
			if (value == null || other == null || !isObject(value) && !isObjectLike(other)) return value !== value && other !== other;
			return baseIsEqualDeep(value, other, baseIsEqual, customizer, bitmask, stack);
		}
		function baseIsEqualDeep(object, other, equalFunc, customizer, bitmask, stack) {
			var objIsArr = isArray(object), othIsArr = isArray(other), objTag = arrayTag, othTag = arrayTag;
			if (!objIsArr) {
				objTag = getTag(object);
				objTag = objTag == argsTag ? objectTag : objTag;
			}
			if (!othIsArr) {
				othTag = getTag(other);
				othTag = othTag == argsTag ? objectTag : othTag;
			}
			var objIsObj = objTag == objectTag && !isHostObject(object), othIsObj = othTag == objectTag && !isHostObject(other), isSameTag = objTag == othTag;
			if (isSameTag && !objIsObj) {
				stack || (stack = new Stack());
				return objIsArr || isTypedArray(object) ? equalArrays(object, other, equalFunc, customizer, bitmask, stack) : equalByTag(object, other, objTag, equalFunc, customizer, bitmask, stack);
			}
			if (!(bitmask & PARTIAL_COMPARE_FLAG)) {
				var objIsWrapped = objIsObj && hasOwnProperty.call(object, "__wrapped__"), othIsWrapped = othIsObj && hasOwnProperty.call(other, "__wrapped__");
				if (objIsWrapped || othIsWrapped) {
					var objUnwrapped = objIsWrapped ? object.value() : object, othUnwrapped = othIsWrapped ? other.value() : other;
					stack || (stack = new Stack());
					return equalFunc(objUnwrapped, othUnwrapped, customizer, bitmask, stack);
				}
			}
			if (!isSameTag) return false;
			stack || (stack = new Stack());
			return equalObjects(object, other, equalFunc, customizer, bitmask, stack);
		}
		function baseIsMatch(object, source, matchData, customizer) {
			var index = matchData.length, length = index;
			if (object == null) return !length;
			object = Object(object);
			while (index--) {
				var data = matchData[index];
				if (data[2] ? data[1] !== object[data[0]] : !(data[0] in object)) return false;
			}
			while (++index < length) {
				data = matchData[index];
				var key = data[0], objValue = object[key], srcValue = data[1];
				if (data[2]) {
					if (objValue === void 0 && !(key in object)) return false;
				} else {
					var stack = new Stack();
					var result;
					if (!(result === void 0 ? baseIsEqual(srcValue, objValue, customizer, 3, stack) : result)) return false;
				}
			}
			return true;
		}
		function baseIsNative(value) {
			if (!isObject(value) || isMasked(value)) return false;
			return (isFunction(value) || isHostObject(value) ? reIsNative : reIsHostCtor).test(toSource(value));
		}
		function baseIsTypedArray(value) {
			return isObjectLike(value) && isLength(value.length) && !!typedArrayTags[objectToString.call(value)];
		}
		function baseIteratee(value) {
			if (typeof value == "function") return value;
			if (value == null) return identity;
			if (typeof value == "object") return isArray(value) ? baseMatchesProperty(value[0], value[1]) : baseMatches(value);
			return property(value);
		}
		function baseKeys(object) {
			if (!isPrototype(object)) return nativeKeys(object);
			var result = [];
			for (var key in Object(object)) if (hasOwnProperty.call(object, key) && key != "constructor") result.push(key);
			return result;
		}
		function baseMap(collection, iteratee) {
			var index = -1, result = isArrayLike(collection) ? Array(collection.length) : [];
			baseEach(collection, function(value, key, collection) {
				result[++index] = iteratee(value, key, collection);
			});
			return result;
		}
		function baseMatches(source) {
			var matchData = getMatchData(source);
			if (matchData.length == 1 && matchData[0][2]) return matchesStrictComparable(matchData[0][0], matchData[0][1]);
			return function(object) {
				return object === source || baseIsMatch(object, source, matchData);
			};
		}
		function baseMatchesProperty(path, srcValue) {
			if (isKey(path) && isStrictComparable(srcValue)) return matchesStrictComparable(toKey(path), srcValue);
			return function(object) {
				var objValue = get(object, path);
				return objValue === void 0 && objValue === srcValue ? hasIn(object, path) : baseIsEqual(srcValue, objValue, void 0, 3);
			};
		}
		function baseOrderBy(collection, iteratees, orders) {
			var index = -1;
			iteratees = arrayMap(iteratees.length ? iteratees : [identity], baseUnary(baseIteratee));
			return baseSortBy(baseMap(collection, function(value, key, collection) {
				return {
					"criteria": arrayMap(iteratees, function(iteratee) {
						return iteratee(value);
					}),
					"index": ++index,
					"value": value
				};
			}), function(object, other) {
				return compareMultiple(object, other, orders);
			});
		}
		function basePropertyDeep(path) {
			return function(object) {
				return baseGet(object, path);
			};
		}
		function baseRest(func, start) {
			start = nativeMax(start === void 0 ? func.length - 1 : start, 0);
			return function() {
				var args = arguments, index = -1, length = nativeMax(args.length - start, 0), array = Array(length);
				while (++index < length) array[index] = args[start + index];
				index = -1;
				var otherArgs = Array(start + 1);
				while (++index < start) otherArgs[index] = args[index];
				otherArgs[start] = array;
				return apply(func, this, otherArgs);
			};
		}
		function baseToString(value) {
			if (typeof value == "string") return value;
			if (isSymbol(value)) return symbolToString ? symbolToString.call(value) : "";
			var result = value + "";
			return result == "0" && 1 / value == -1e400 ? "-0" : result;
		}
		function castPath(value) {
			return isArray(value) ? value : stringToPath(value);
		}
		function compareAscending(value, other) {
			if (value !== other) {
				var valIsDefined = value !== void 0, valIsNull = value === null, valIsReflexive = value === value, valIsSymbol = isSymbol(value);
				var othIsDefined = other !== void 0, othIsNull = other === null, othIsReflexive = other === other, othIsSymbol = isSymbol(other);
				if (!othIsNull && !othIsSymbol && !valIsSymbol && value > other || valIsSymbol && othIsDefined && othIsReflexive && !othIsNull && !othIsSymbol || valIsNull && othIsDefined && othIsReflexive || !valIsDefined && othIsReflexive || !valIsReflexive) return 1;
				if (!valIsNull && !valIsSymbol && !othIsSymbol && value < other || othIsSymbol && valIsDefined && valIsReflexive && !valIsNull && !valIsSymbol || othIsNull && valIsDefined && valIsReflexive || !othIsDefined && valIsReflexive || !othIsReflexive) return -1;
			}
			return 0;
		}
		function compareMultiple(object, other, orders) {
			var index = -1, objCriteria = object.criteria, othCriteria = other.criteria, length = objCriteria.length, ordersLength = orders.length;
			while (++index < length) {
				var result = compareAscending(objCriteria[index], othCriteria[index]);
				if (result) {
					if (index >= ordersLength) return result;
					return result * (orders[index] == "desc" ? -1 : 1);
				}
			}
			return object.index - other.index;
		}
		function createBaseEach(eachFunc, fromRight) {
			return function(collection, iteratee) {
				if (collection == null) return collection;
				if (!isArrayLike(collection)) return eachFunc(collection, iteratee);
				var length = collection.length, index = -1, iterable = Object(collection);
				while (++index < length) if (iteratee(iterable[index], index, iterable) === false) break;
				return collection;
			};
		}
		function createBaseFor(fromRight) {
			return function(object, iteratee, keysFunc) {
				var index = -1, iterable = Object(object), props = keysFunc(object), length = props.length;
				while (length--) {
					var key = props[++index];
					if (iteratee(iterable[key], key, iterable) === false) break;
				}
				return object;
			};
		}
		function equalArrays(array, other, equalFunc, customizer, bitmask, stack) {
			var isPartial = bitmask & PARTIAL_COMPARE_FLAG, arrLength = array.length, othLength = other.length;
			if (arrLength != othLength && !(isPartial && othLength > arrLength)) return false;
			var stacked = stack.get(array);
			if (stacked && stack.get(other)) return stacked == other;
			var index = -1, result = true, seen = bitmask & UNORDERED_COMPARE_FLAG ? new SetCache() : void 0;
			stack.set(array, other);
			stack.set(other, array);
			while (++index < arrLength) {
				var arrValue = array[index], othValue = other[index];
				if (customizer) var compared = isPartial ? customizer(othValue, arrValue, index, other, array, stack) : customizer(arrValue, othValue, index, array, other, stack);
				if (compared !== void 0) {
					if (compared) continue;
					result = false;
					break;
				}
				if (seen) {
					if (!arraySome(other, function(othValue, othIndex) {
						if (!seen.has(othIndex) && (arrValue === othValue || equalFunc(arrValue, othValue, customizer, bitmask, stack))) return seen.add(othIndex);
					})) {
						result = false;
						break;
					}
				} else if (!(arrValue === othValue || equalFunc(arrValue, othValue, customizer, bitmask, stack))) {
					result = false;
					break;
				}
			}
			stack["delete"](array);
			stack["delete"](other);
			return result;
		}
		function equalByTag(object, other, tag, equalFunc, customizer, bitmask, stack) {
			switch (tag) {
				case dataViewTag:
					if (object.byteLength != other.byteLength || object.byteOffset != other.byteOffset) return false;
					object = object.buffer;
					other = other.buffer;
				case arrayBufferTag:
					if (object.byteLength != other.byteLength || !equalFunc(new Uint8Array(object), new Uint8Array(other))) return false;
					return true;
				case boolTag:
				case dateTag:
				case numberTag: return eq(+object, +other);
				case errorTag: return object.name == other.name && object.message == other.message;
				case regexpTag:
				case stringTag: return object == other + "";
				case mapTag: var convert = mapToArray;
				case setTag:
					var isPartial = bitmask & PARTIAL_COMPARE_FLAG;
					convert || (convert = setToArray);
					if (object.size != other.size && !isPartial) return false;
					var stacked = stack.get(object);
					if (stacked) return stacked == other;
					bitmask |= UNORDERED_COMPARE_FLAG;
					stack.set(object, other);
					var result = equalArrays(convert(object), convert(other), equalFunc, customizer, bitmask, stack);
					stack["delete"](object);
					return result;
				case symbolTag: if (symbolValueOf) return symbolValueOf.call(object) == symbolValueOf.call(other);
			}
			return false;
		}
		function equalObjects(object, other, equalFunc, customizer, bitmask, stack) {
			var isPartial = bitmask & PARTIAL_COMPARE_FLAG, objProps = keys(object), objLength = objProps.length;
			if (objLength != keys(other).length && !isPartial) return false;
			var index = objLength;
			while (index--) {
				var key = objProps[index];
				if (!(isPartial ? key in other : hasOwnProperty.call(other, key))) return false;
			}
			var stacked = stack.get(object);
			if (stacked && stack.get(other)) return stacked == other;
			var result = true;
			stack.set(object, other);
			stack.set(other, object);
			var skipCtor = isPartial;
			while (++index < objLength) {
				key = objProps[index];
				var objValue = object[key], othValue = other[key];
				if (customizer) var compared = isPartial ? customizer(othValue, objValue, key, other, object, stack) : customizer(objValue, othValue, key, object, other, stack);
				if (!(compared === void 0 ? objValue === othValue || equalFunc(objValue, othValue, customizer, bitmask, stack) : compared)) {
					result = false;
					break;
				}
				skipCtor || (skipCtor = key == "constructor");
			}
			if (result && !skipCtor) {
				var objCtor = object.constructor, othCtor = other.constructor;
				if (objCtor != othCtor && "constructor" in object && "constructor" in other && !(typeof objCtor == "function" && objCtor instanceof objCtor && typeof othCtor == "function" && othCtor instanceof othCtor)) result = false;
			}
			stack["delete"](object);
			stack["delete"](other);
			return result;
		}
		function getMapData(map, key) {
			var data = map.__data__;
			return isKeyable(key) ? data[typeof key == "string" ? "string" : "hash"] : data.map;
		}
		function getMatchData(object) {
			var result = keys(object), length = result.length;
			while (length--) {
				var key = result[length], value = object[key];
				result[length] = [
					key,
					value,
					isStrictComparable(value)
				];
			}
			return result;
		}
		function getNative(object, key) {
			var value = getValue(object, key);
			return baseIsNative(value) ? value : void 0;
		}
		var getTag = baseGetTag;
		if (DataView && getTag(new DataView(new ArrayBuffer(1))) != dataViewTag || Map && getTag(new Map()) != mapTag || Promise$1 && getTag(Promise$1.resolve()) != promiseTag || Set && getTag(new Set()) != setTag || WeakMap && getTag(new WeakMap()) != weakMapTag) getTag = function(value) {
			var result = objectToString.call(value), Ctor = result == objectTag ? value.constructor : void 0, ctorString = Ctor ? toSource(Ctor) : void 0;
			if (ctorString) switch (ctorString) {
				case dataViewCtorString: return dataViewTag;
				case mapCtorString: return mapTag;
				case promiseCtorString: return promiseTag;
				case setCtorString: return setTag;
				case weakMapCtorString: return weakMapTag;
			}
			return result;
		};
		function hasPath(object, path, hasFunc) {
			path = isKey(path, object) ? [path] : castPath(path);
			var result, index = -1, length = path.length;
			while (++index < length) {
				var key = toKey(path[index]);
				if (!(result = object != null && hasFunc(object, key))) break;
				object = object[key];
			}
			if (result) return result;
			var length = object ? object.length : 0;
			return !!length && isLength(length) && isIndex(key, length) && (isArray(object) || isArguments(object));
		}
		function isFlattenable(value) {
			return isArray(value) || isArguments(value) || !!(spreadableSymbol && value && value[spreadableSymbol]);
		}
		function isIndex(value, length) {
			length = length == null ? MAX_SAFE_INTEGER : length;
			return !!length && (typeof value == "number" || reIsUint.test(value)) && value > -1 && value % 1 == 0 && value < length;
		}
		function isIterateeCall(value, index, object) {
			if (!isObject(object)) return false;
			var type = typeof index;
			if (type == "number" ? isArrayLike(object) && isIndex(index, object.length) : type == "string" && index in object) return eq(object[index], value);
			return false;
		}
		function isKey(value, object) {
			if (isArray(value)) return false;
			var type = typeof value;
			if (type == "number" || type == "symbol" || type == "boolean" || value == null || isSymbol(value)) return true;
			return reIsPlainProp.test(value) || !reIsDeepProp.test(value) || object != null && value in Object(object);
		}
		function isKeyable(value) {
			var type = typeof value;
			return type == "string" || type == "number" || type == "symbol" || type == "boolean" ? value !== "__proto__" : value === null;
		}
		function isMasked(func) {
			return !!maskSrcKey && maskSrcKey in func;
		}
		function isPrototype(value) {
			var Ctor = value && value.constructor;
			return value === (typeof Ctor == "function" && Ctor.prototype || objectProto);
		}
		function isStrictComparable(value) {
			return value === value && !isObject(value);
		}
		function matchesStrictComparable(key, srcValue) {
			return function(object) {
				if (object == null) return false;
				return object[key] === srcValue && (srcValue !== void 0 || key in Object(object));
			};
		}
		var stringToPath = memoize(function(string) {
			string = toString(string);
			var result = [];
			if (reLeadingDot.test(string)) result.push("");
			string.replace(rePropName, function(match, number, quote, string) {
				result.push(quote ? string.replace(reEscapeChar, "$1") : number || match);
			});
			return result;
		});
		function toKey(value) {
			if (typeof value == "string" || isSymbol(value)) return value;
			var result = value + "";
			return result == "0" && 1 / value == -1e400 ? "-0" : result;
		}
		function toSource(func) {
			if (func != null) {
				try {
					return funcToString.call(func);
				} catch (e) {}
				try {
					return func + "";
				} catch (e) {}
			}
			return "";
		}
		var sortBy = baseRest(function(collection, iteratees) {
			if (collection == null) return [];
			var length = iteratees.length;
			if (length > 1 && isIterateeCall(collection, iteratees[0], iteratees[1])) iteratees = [];
			else if (length > 2 && isIterateeCall(iteratees[0], iteratees[1], iteratees[2])) iteratees = [iteratees[0]];
			return baseOrderBy(collection, baseFlatten(iteratees), []);
		});
		function memoize(func, resolver) {
			if (typeof func != "function" || resolver && typeof resolver != "function") throw new TypeError(FUNC_ERROR_TEXT);
			var memoized = function() {
				var args = arguments, key = resolver ? resolver.apply(this, args) : args[0], cache = memoized.cache;
				if (cache.has(key)) return cache.get(key);
				var result = func.apply(this, args);
				memoized.cache = cache.set(key, result);
				return result;
			};
			memoized.cache = new (memoize.Cache || MapCache)();
			return memoized;
		}
		memoize.Cache = MapCache;
		function eq(value, other) {
			return value === other || value !== value && other !== other;
		}
		function isArguments(value) {
			return isArrayLikeObject(value) && hasOwnProperty.call(value, "callee") && (!propertyIsEnumerable.call(value, "callee") || objectToString.call(value) == argsTag);
		}
		var isArray = Array.isArray;
		function isArrayLike(value) {
			return value != null && isLength(value.length) && !isFunction(value);
		}
		function isArrayLikeObject(value) {
			return isObjectLike(value) && isArrayLike(value);
		}
		function isFunction(value) {
			var tag = isObject(value) ? objectToString.call(value) : "";
			return tag == funcTag || tag == genTag;
		}
		function isLength(value) {
			return typeof value == "number" && value > -1 && value % 1 == 0 && value <= MAX_SAFE_INTEGER;
		}
		function isObject(value) {
			var type = typeof value;
			return !!value && (type == "object" || type == "function");
		}
		function isObjectLike(value) {
			return !!value && typeof value == "object";
		}
		function isSymbol(value) {
			return typeof value == "symbol" || isObjectLike(value) && objectToString.call(value) == symbolTag;
		}
		var isTypedArray = nodeIsTypedArray ? baseUnary(nodeIsTypedArray) : baseIsTypedArray;
		function toString(value) {
			return value == null ? "" : baseToString(value);
		}
		function get(object, path, defaultValue) {
			var result = object == null ? void 0 : baseGet(object, path);
			return result === void 0 ? defaultValue : result;
		}
		function hasIn(object, path) {
			return object != null && hasPath(object, path, baseHasIn);
		}
		function keys(object) {
			return isArrayLike(object) ? arrayLikeKeys(object) : baseKeys(object);
		}
		function identity(value) {
			return value;
		}
		function property(path) {
			return isKey(path) ? baseProperty(toKey(path)) : basePropertyDeep(path);
		}
		module.exports = sortBy;
	})(lodash_sortby, lodash_sortby.exports);
	return lodash_sortby.exports;
}
var escapeStringRegexp;
var hasRequiredEscapeStringRegexp;
function requireEscapeStringRegexp() {
	if (hasRequiredEscapeStringRegexp) return escapeStringRegexp;
	hasRequiredEscapeStringRegexp = 1;
	escapeStringRegexp = (string) => {
		if (typeof string !== "string") throw new TypeError("Expected a string");
		return string.replace(/[|\\{}()[\]^$+*?.]/g, "\\$&").replace(/-/g, "\\x2d");
	};
	return escapeStringRegexp;
}
var regexpParse = {};
var hasRequiredRegexpParse;
function requireRegexpParse() {
	if (hasRequiredRegexpParse) return regexpParse;
	hasRequiredRegexpParse = 1;
	Object.defineProperty(regexpParse, "__esModule", { value: true });
	regexpParse.isRegExpString = regexpParse.parseRegExpString = void 0;
	var REGEXP_LITERAL_PATTERN = /^\/(.+)\/([guimysd]*)$/;
	var parseRegExpString = function(str) {
		var result = str.match(REGEXP_LITERAL_PATTERN);
		if (!result) return null;
		return {
			source: result[1],
			flagString: result[2]
		};
	};
	regexpParse.parseRegExpString = parseRegExpString;
	var isRegExpString = function(str) {
		return REGEXP_LITERAL_PATTERN.test(str);
	};
	regexpParse.isRegExpString = isRegExpString;
	return regexpParse;
}
var hasRequiredRegexpStringMatcher;
function requireRegexpStringMatcher() {
	if (hasRequiredRegexpStringMatcher) return regexpStringMatcher;
	hasRequiredRegexpStringMatcher = 1;
	(function(exports$1) {
		var __importDefault = regexpStringMatcher && regexpStringMatcher.__importDefault || function(mod) {
			return mod && mod.__esModule ? mod : { "default": mod };
		};
		Object.defineProperty(exports$1, "__esModule", { value: true });
		exports$1.matchPatterns = exports$1.createRegExp = void 0;
		var lodash_uniq_1 = __importDefault(requireLodash_uniq());
		var lodash_uniqwith_1 = __importDefault(requireLodash_uniqwith());
		var lodash_sortby_1 = __importDefault(requireLodash_sortby());
		var escape_string_regexp_1 = __importDefault(requireEscapeStringRegexp());
		var regexp_parse_1 = requireRegexpParse();
		var DEFAULT_FLAGS = "ug";
		var defaultFlags = function(flagsString) {
			if (flagsString.length === 0) return DEFAULT_FLAGS;
			return (0, lodash_uniq_1.default)((flagsString + DEFAULT_FLAGS).split("")).join("");
		};
		var createRegExp = function(patternString, defaultFlag) {
			if (defaultFlag === void 0) defaultFlag = DEFAULT_FLAGS;
			if (patternString.length === 0) throw new Error("Empty string can not handled");
			if ((0, regexp_parse_1.isRegExpString)(patternString)) {
				var regExpStructure = (0, regexp_parse_1.parseRegExpString)(patternString);
				if (regExpStructure) return new RegExp(regExpStructure.source, defaultFlags(regExpStructure.flagString));
				throw new Error("\"".concat(patternString, "\" can not parse as RegExp."));
			} else return new RegExp((0, escape_string_regexp_1.default)(patternString), defaultFlag);
		};
		exports$1.createRegExp = createRegExp;
		var isEqualMatchPatternResult = function(a, b) {
			return a.startIndex === b.startIndex && a.endIndex === b.endIndex && a.match === b.match;
		};
		var matchPatterns = function(text, regExpLikeStrings) {
			var matchPatternResults = [];
			regExpLikeStrings.map(function(patternString) {
				return (0, exports$1.createRegExp)(patternString);
			}).forEach(function(regExp) {
				var results = text.matchAll(regExp);
				Array.from(results).forEach(function(result) {
					if (result.index === void 0) return;
					var match = result[0];
					var index = result.index;
					matchPatternResults.push({
						match,
						captures: result.slice(1),
						startIndex: index,
						endIndex: index + match.length
					});
				});
			});
			var uniqResults = (0, lodash_uniqwith_1.default)(matchPatternResults, isEqualMatchPatternResult);
			return (0, lodash_sortby_1.default)(uniqResults, ["startIndex", "endIndex"]);
		};
		exports$1.matchPatterns = matchPatterns;
	})(regexpStringMatcher);
	return regexpStringMatcher;
}
var regexpStringMatcherExports = requireRegexpStringMatcher();
const BUILTIN_IGNORED = {
	AWSAccountID: ["AKIAIOSFODNN7EXAMPLE"],
	AWSSecretAccessKey: ["wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"]
};
const messages$o = {
	AWSAccountID: {
		en: (props) => `found AWS Account ID: ${props.ID}`,
		ja: (props) => `AWS Account ID: ${props.ID} がみつかりました`
	},
	AWSSecretAccessKey: {
		en: (props) => `found AWS Secret Access Key: ${props.KEY}`,
		ja: (props) => `AWS Secret Access Key: ${props.KEY} がみつかりました`
	},
	AWSAccessKeyID: {
		en: (props) => `found AWS Access Key ID: ${props.ID}`,
		ja: (props) => `AWS Access Key Id: ${props.ID} がみつかりました`
	}
};
const reportAWSAccessKey = ({ t, source, context, options }) => {
	const results = source.content.matchAll(/\b(A3T[A-Z0-9]|AKIA|AGPA|AIDA|AROA|AIPA|ANPA|ANVA|ASIA)[A-Z0-9]{16}\b/g);
	for (const result of results) {
		const index = result.index || 0;
		const match = result[0] || "";
		const range = [index, index + match.length];
		if (BUILTIN_IGNORED.AWSAccountID.includes(match)) continue;
		if (regexpStringMatcherExports.matchPatterns(match, options.allows).length > 0) continue;
		context.report({
			message: t("AWSAccessKeyID", { ID: match }),
			range
		});
	}
};
const reportAWSSecretAccessKey = ({ t, source, context, options }) => {
	const AWS = "(?:AWS|aws|Aws)?_?";
	const QUOTE = `["']?`;
	const AWSSecretPatten = new RegExp(String.raw`${QUOTE}${AWS}(?:SECRET|secret|Secret)_?(?:ACCESS|access|Access)_?(?:KEY|key|Key)${QUOTE}${"\\s*(?::|=>|=)\\s*"}${QUOTE}([A-Za-z0-9/\+=]{40})${QUOTE}\b`, "g");
	const results = source.content.matchAll(AWSSecretPatten);
	for (const result of results) {
		const index = result.index || 0;
		const match = result[1] || "";
		const range = [index, index + match.length];
		if (BUILTIN_IGNORED.AWSSecretAccessKey.includes(match)) continue;
		if (regexpStringMatcherExports.matchPatterns(match, options.allows).length > 0) continue;
		context.report({
			message: t("AWSSecretAccessKey", { KEY: match }),
			range
		});
	}
};
const reportAWSAccountID = ({ t, source, context, options }) => {
	const AWS = "(AWS|aws|Aws)?_?";
	const QUOTE = `("|')?`;
	const AWSSecretPatten = new RegExp(String.raw`${QUOTE}${AWS}(ACCOUNT|account|Account)_?(ID|id|Id)?${QUOTE}${"\\s*(:|=>|=)\\s*"}${QUOTE}[0-9]{4}\-?[0-9]{4}\-?[0-9]{4}${QUOTE}\b`, "g");
	const results = source.content.matchAll(AWSSecretPatten);
	for (const result of results) {
		const index = result.index || 0;
		const match = result[0] || "";
		const range = [index, index + match.length];
		if (regexpStringMatcherExports.matchPatterns(match, options.allows).length > 0) continue;
		context.report({
			message: t("AWSAccountID", { ID: match }),
			range
		});
	}
};
const creator$p = {
	messages: messages$o,
	meta: {
		id: "@secretlint/secretlint-rule-aws",
		recommended: true,
		type: "scanner",
		supportedContentTypes: ["text"],
		docs: { url: "https://github.com/secretlint/secretlint/blob/master/packages/%40secretlint/secretlint-rule-aws/README.md" }
	},
	create(context, options) {
		const normalizedOptions = {
			allows: options.allows || [],
			enableIDScanRule: options.enableIDScanRule ?? false
		};
		const t = context.createTranslator(messages$o);
		return { file(source) {
			if (normalizedOptions.enableIDScanRule) {
				reportAWSAccessKey({
					t,
					source,
					context,
					options: normalizedOptions
				});
				reportAWSAccountID({
					t,
					source,
					context,
					options: normalizedOptions
				});
			}
			reportAWSSecretAccessKey({
				t,
				source,
				context,
				options: normalizedOptions
			});
		} };
	}
};
const TAG_INTEGER = 2;
const TAG_OCTET_STRING = 4;
const TAG_NULL = 5;
const TAG_OID = 6;
const TAG_SEQUENCE = 48;
const TAG_CONTEXT_0 = 160;
function readTlv(buf, offset) {
	if (offset + 2 > buf.length) throw new Error("PKCS12: truncated TLV header");
	const tag = buf[offset];
	const lenByte = buf[offset + 1];
	let length;
	let contentStart;
	if (lenByte < 128) {
		length = lenByte;
		contentStart = offset + 2;
	} else {
		const lenBytes = lenByte & 127;
		if (lenBytes === 0 || lenBytes > 4) throw new Error("PKCS12: unsupported ASN.1 length encoding");
		if (offset + 2 + lenBytes > buf.length) throw new Error("PKCS12: truncated ASN.1 length");
		length = 0;
		for (let i = 0; i < lenBytes; i++) length = length * 256 + buf[offset + 2 + i];
		contentStart = offset + 2 + lenBytes;
	}
	const end = contentStart + length;
	if (end > buf.length) throw new Error("PKCS12: TLV extends past buffer");
	return {
		tag,
		content: buf.subarray(contentStart, end),
		end
	};
}
function expectTag(tlv, tag, label) {
	if (tlv.tag !== tag) throw new Error(`PKCS12: expected ${label} tag 0x${tag.toString(16)} but got 0x${tlv.tag.toString(16)}`);
}
function readInteger(tlv) {
	expectTag(tlv, TAG_INTEGER, "INTEGER");
	let value = 0;
	for (const byte of tlv.content) value = value * 256 + byte;
	return value;
}
function bytesEqual(a, b) {
	if (a.length !== b.length) return false;
	let diff = 0;
	for (let i = 0; i < a.length; i++) diff |= a[i] ^ b[i];
	return diff === 0;
}
const OID_DATA = new Uint8Array([
	42,
	134,
	72,
	134,
	247,
	13,
	1,
	7,
	1
]);
const OID_SHA1 = new Uint8Array([
	43,
	14,
	3,
	2,
	26
]);
const OID_SHA256 = new Uint8Array([
	96,
	134,
	72,
	1,
	101,
	3,
	4,
	2,
	1
]);
const OID_SHA384 = new Uint8Array([
	96,
	134,
	72,
	1,
	101,
	3,
	4,
	2,
	2
]);
const OID_SHA512 = new Uint8Array([
	96,
	134,
	72,
	1,
	101,
	3,
	4,
	2,
	3
]);
const MAC_HASHES = [
	{
		oid: OID_SHA1,
		hash: {
			name: "SHA-1",
			outputSize: 20,
			blockSize: 64
		}
	},
	{
		oid: OID_SHA256,
		hash: {
			name: "SHA-256",
			outputSize: 32,
			blockSize: 64
		}
	},
	{
		oid: OID_SHA384,
		hash: {
			name: "SHA-384",
			outputSize: 48,
			blockSize: 128
		}
	},
	{
		oid: OID_SHA512,
		hash: {
			name: "SHA-512",
			outputSize: 64,
			blockSize: 128
		}
	}
];
function matchHash(oidBytes) {
	for (const { oid, hash } of MAC_HASHES) if (bytesEqual(oidBytes, oid)) return hash;
}
const MAX_MAC_ITERATIONS = 1e6;
function parsePkcs12(buf) {
	const pfx = readTlv(buf, 0);
	expectTag(pfx, TAG_SEQUENCE, "PFX SEQUENCE");
	const version = readTlv(pfx.content, 0);
	if (readInteger(version) !== 3) throw new Error("PKCS12: unsupported version");
	const authSafeInfo = readTlv(pfx.content, version.end);
	expectTag(authSafeInfo, TAG_SEQUENCE, "ContentInfo SEQUENCE");
	const contentType = readTlv(authSafeInfo.content, 0);
	expectTag(contentType, TAG_OID, "contentType OID");
	if (!bytesEqual(contentType.content, OID_DATA)) throw new Error("PKCS12: unsupported authSafe contentType");
	const explicit0 = readTlv(authSafeInfo.content, contentType.end);
	expectTag(explicit0, TAG_CONTEXT_0, "[0] EXPLICIT");
	const authSafeOctet = readTlv(explicit0.content, 0);
	expectTag(authSafeOctet, TAG_OCTET_STRING, "authSafe OCTET STRING");
	const macData = readTlv(pfx.content, authSafeInfo.end);
	expectTag(macData, TAG_SEQUENCE, "MacData SEQUENCE");
	const digestInfo = readTlv(macData.content, 0);
	expectTag(digestInfo, TAG_SEQUENCE, "DigestInfo SEQUENCE");
	const alg = readTlv(digestInfo.content, 0);
	expectTag(alg, TAG_SEQUENCE, "AlgorithmIdentifier SEQUENCE");
	const algOid = readTlv(alg.content, 0);
	expectTag(algOid, TAG_OID, "algorithm OID");
	const macHash = matchHash(algOid.content);
	if (!macHash) throw new Error("PKCS12: unsupported MAC digest algorithm");
	if (algOid.end < alg.content.length) {
		if (readTlv(alg.content, algOid.end).tag !== TAG_NULL) throw new Error("PKCS12: unexpected MAC algorithm parameters");
	}
	const digest = readTlv(digestInfo.content, alg.end);
	expectTag(digest, TAG_OCTET_STRING, "digest OCTET STRING");
	const salt = readTlv(macData.content, digestInfo.end);
	expectTag(salt, TAG_OCTET_STRING, "macSalt OCTET STRING");
	let iterations = 1;
	if (salt.end < macData.content.length) iterations = readInteger(readTlv(macData.content, salt.end));
	if (iterations < 1 || iterations > MAX_MAC_ITERATIONS) throw new Error("PKCS12: MAC iteration count out of range");
	return {
		authSafe: authSafeOctet.content,
		macHash,
		macSalt: salt.content,
		macDigest: digest.content,
		iterations
	};
}
function toBufferSource(data) {
	const copy = new Uint8Array(data.length);
	copy.set(data);
	return copy;
}
async function digest$1(hash, data) {
	return new Uint8Array(await globalThis.crypto.subtle.digest(hash.name, toBufferSource(data)));
}
function padToMultipleOf(src, blockSize) {
	if (src.length === 0) return new Uint8Array(0);
	const padded = new Uint8Array(Math.ceil(src.length / blockSize) * blockSize);
	for (let i = 0; i < padded.length; i++) padded[i] = src[i % src.length];
	return padded;
}
function encodePasswordAsBmpString(password) {
	if (password.length === 0) return new Uint8Array(0);
	const bytes = new Uint8Array(password.length * 2 + 2);
	for (let i = 0; i < password.length; i++) {
		const code = password.charCodeAt(i);
		bytes[i * 2] = code >> 8 & 255;
		bytes[i * 2 + 1] = code & 255;
	}
	return bytes;
}
async function deriveMacKey(hash, password, salt, iterations) {
	const v = hash.blockSize;
	const u = hash.outputSize;
	const D = new Uint8Array(v).fill(3);
	const P = padToMultipleOf(encodePasswordAsBmpString(password), v);
	const S = padToMultipleOf(salt, v);
	const DI = new Uint8Array(D.length + S.length + P.length);
	DI.set(D, 0);
	DI.set(S, D.length);
	DI.set(P, D.length + S.length);
	let A = await digest$1(hash, DI);
	for (let i = 1; i < iterations; i++) A = await digest$1(hash, A);
	return A.subarray(0, u);
}
async function verifyPkcs12Mac(pfxBytes, password) {
	let parsed;
	try {
		parsed = parsePkcs12(pfxBytes);
	} catch {
		return false;
	}
	try {
		const key = await deriveMacKey(parsed.macHash, password, parsed.macSalt, parsed.iterations);
		const cryptoKey = await globalThis.crypto.subtle.importKey("raw", toBufferSource(key), {
			name: "HMAC",
			hash: parsed.macHash.name
		}, false, ["sign"]);
		return bytesEqual(new Uint8Array(await globalThis.crypto.subtle.sign("HMAC", cryptoKey, toBufferSource(parsed.authSafe))), parsed.macDigest);
	} catch {
		return false;
	}
}
const GCP_SERVICE_ACCOUNT_P12_PASSWORD = "notasecret";
async function reportIfFoundPrivateKeyP12Format({ source, context, t }) {
	if (!source.filePath) return;
	try {
		const fs = await import("node:fs");
		const path = await import("node:path");
		if (!await verifyPkcs12Mac(new Uint8Array(fs.readFileSync(source.filePath)), GCP_SERVICE_ACCOUNT_P12_PASSWORD)) return;
		context.report({
			message: t("PrivateKeyP12", { FILE_NAME: path.basename(source.filePath) }),
			range: [0, source.content.length]
		});
	} catch {}
}
const messages$n = {
	PrivateKeyP12: {
		en: (props) => `found GCP Service Account's private key(p12): ${props.FILE_NAME}`,
		ja: (props) => `GCPサービスアカウントの秘密鍵(p12) ${props.FILE_NAME} がみつかりました`
	},
	PrivateKeyJSON: {
		en: (props) => `found GCP Service Account's private key(json): ${props.FILE_NAME}`,
		ja: (props) => `GCPサービスアカウントの秘密鍵(json): ${props.FILE_NAME} がみつかりました`
	}
};
function reportIfFoundPrivateKeyJSONFormat({ source, context, t }) {
	try {
		const credentialObject = JSON.parse(source.content);
		if (!("private_key_id" in credentialObject && "private_key" in credentialObject && /-----BEGIN\s?(DSA|RSA|EC|PGP|OPENSSH)?\s?PRIVATE KEY/gm.test(credentialObject["private_key"]))) return;
		context.report({
			message: t("PrivateKeyJSON", { FILE_NAME: source.filePath ? path$1.basename(source.filePath) : "" }),
			range: [0, source.content.length]
		});
	} catch {}
}
const creator$o = {
	messages: messages$n,
	meta: {
		id: "@secretlint/secretlint-rule-gcp",
		recommended: true,
		type: "scanner",
		supportedContentTypes: ["all"],
		docs: { url: "https://github.com/secretlint/secretlint/blob/master/packages/%40secretlint/secretlint-rule-gcp/README.md" }
	},
	create(context, options) {
		const t = context.createTranslator(messages$n);
		options.allows;
		return { file(source) {
			if (source.ext === ".p12") return reportIfFoundPrivateKeyP12Format({
				source,
				context,
				t
			});
			else if (source.ext === ".json") return reportIfFoundPrivateKeyJSONFormat({
				source,
				context,
				t
			});
		} };
	}
};
const messages$m = {
	PackageJSON_xOauthToken: {
		en: (props) => `found GitHub Token: ${props.TOKEN}`,
		ja: (props) => `GitHub Token: ${props.TOKEN} がみつかりました`
	},
	Npmrc_authToken: {
		en: (props) => `found npmrc authToken: ${props.TOKEN}`,
		ja: (props) => `npmrc authToken: ${props.TOKEN} がみつかりました`
	},
	NPM_ACCESS_TOKEN: {
		en: (props) => `found npm access token: ${props.TOKEN}`,
		ja: (props) => `npm access token: ${props.TOKEN} がみつかりました`
	}
};
function reportIfFoundXOauthGitHubToken({ source, options, context, t }) {
	const results = source.content.matchAll(/https?:\/\/(.{1,256}):x-oauth-basic@github.com\//g);
	for (const result of results) {
		const index = result.index || 0;
		const match = result[1] || "";
		const range = [index, index + match.length];
		if (regexpStringMatcherExports.matchPatterns(match, options.allows).length > 0) continue;
		context.report({
			message: t("PackageJSON_xOauthToken", { TOKEN: match }),
			range
		});
	}
}
function reportIfFound_AuthTokenInNpmrc({ source, options, context, t }) {
	const results = source.content.matchAll(/_authToken=([^$].*)/g);
	for (const result of results) {
		const index = result.index || 0;
		const match = result[1] || "";
		const range = [index, index + match.length];
		if (regexpStringMatcherExports.matchPatterns(match, options.allows).length > 0) continue;
		context.report({
			message: t("Npmrc_authToken", { TOKEN: match }),
			range
		});
	}
}
function reportIfFound_NPM_ACCESS_TOKEN({ source, options, context, t }) {
	const results = source.content.matchAll(/(?<!\p{L})npm_[A-Za-z0-9_]{36}(?![A-Za-z0-9_])/gu);
	for (const result of results) {
		const index = result.index || 0;
		const match = result[0] || "";
		const range = [index, index + match.length];
		if (regexpStringMatcherExports.matchPatterns(match, options.allows).length > 0) continue;
		context.report({
			message: t("NPM_ACCESS_TOKEN", { TOKEN: match }),
			range
		});
	}
}
const isPackageFile = (filePath) => {
	if (!filePath) return true;
	return filePath.endsWith("package.json") || filePath.endsWith("package-lock.json");
};
const isNpmrc = (filePath) => {
	if (!filePath) return true;
	return filePath.endsWith(".npmrc");
};
const creator$n = {
	messages: messages$m,
	meta: {
		id: "@secretlint/secretlint-rule-npm",
		recommended: true,
		type: "scanner",
		supportedContentTypes: ["text"],
		docs: { url: "https://github.com/secretlint/secretlint/blob/master/packages/%40secretlint/secretlint-rule-npm/README.md" }
	},
	create(context, options) {
		const t = context.createTranslator(messages$m);
		const normalizedOptions = { allows: options.allows || [] };
		return { file(source) {
			if (isPackageFile(source.filePath)) reportIfFoundXOauthGitHubToken({
				source,
				options: normalizedOptions,
				context,
				t
			});
			else if (isNpmrc(source.filePath)) reportIfFound_AuthTokenInNpmrc({
				source,
				options: normalizedOptions,
				context,
				t
			});
			reportIfFound_NPM_ACCESS_TOKEN({
				source,
				options: normalizedOptions,
				context,
				t
			});
		} };
	}
};
const messages$l = {
	SLACK_TOKEN: {
		en: (props) => `found slack token: ${props.TOKEN}`,
		ja: (props) => `Slackトークン: ${props.TOKEN} がみつかりました`
	},
	IncomingWebhook: {
		en: (props) => `found Slack Incoming Webhook: ${props.URL}`,
		ja: (props) => `SlackのIncoming Webhooks: ${props.TOKEN} がみつかりました`
	}
};
function reportIfFoundRawPrivateKey$1({ source, options, context, t }) {
	const results = source.content.matchAll(/\b(?:xoxb|xoxp|xapp|xoxa|xoxo|xoxr)-(?:\d-)?(?:[a-zA-Z0-9]{1,40}-)+[a-zA-Z0-9]{1,40}\b/g);
	for (const result of results) {
		const index = result.index || 0;
		const match = result[0] || "";
		const range = [index, index + match.length];
		if (regexpStringMatcherExports.matchPatterns(match, options.allows).length > 0) continue;
		context.report({
			message: t("SLACK_TOKEN", { TOKEN: match }),
			range
		});
	}
}
function reportIfFoundIncomingWebhook({ source, options, context, t }) {
	const results = source.content.matchAll(/https:\/\/hooks\.slack\.com\/services\/T[a-zA-Z0-9]{1,40}\/B[a-zA-Z0-9]{1,40}\/[a-zA-Z0-9]{1,40}/gi);
	for (const result of results) {
		const index = result.index || 0;
		const match = result[0] || "";
		const range = [index, index + match.length];
		if (regexpStringMatcherExports.matchPatterns(match, options.allows).length > 0) continue;
		context.report({
			message: t("IncomingWebhook", { URL: match }),
			range
		});
	}
}
const creator$m = {
	messages: messages$l,
	meta: {
		id: "@secretlint/secretlint-rule-slack",
		recommended: true,
		type: "scanner",
		supportedContentTypes: ["text"],
		docs: { url: "https://github.com/secretlint/secretlint/blob/master/packages/%40secretlint/secretlint-rule-slack/README.md" }
	},
	create(context, options) {
		const t = context.createTranslator(messages$l);
		const normalizedOptions = { allows: options.allows || [] };
		return { file(source) {
			reportIfFoundRawPrivateKey$1({
				source,
				options: normalizedOptions,
				context,
				t
			});
			reportIfFoundIncomingWebhook({
				source,
				options: normalizedOptions,
				context,
				t
			});
		} };
	}
};
const messages$k = { BasicAuth: {
	en: (props) => `found basic auth credential: ${props.CREDENTIAL}`,
	ja: (props) => `ベーシック認証情報: ${props.CREDENTIAL} がみつかりました`
} };
const BUILTIN_IGNORED_PATTERNS$1 = [
	"localhost",
	"127.0.0.1",
	"password",
	"mypassword",
	"myusername",
	"{password}",
	"${password}",
	"{{password}}",
	"{username}",
	"${username}",
	"{{username}}",
	"YOUR_PASSWORD",
	"YOUR_USERNAME",
	"REPLACE_WITH_PASSWORD",
	"REPLACE_WITH_USERNAME"
];
function isVariableLikeString$1(str) {
	return [
		/\$\{[^}]{1,50}\}/,
		/\{\{[^}]{1,50}\}\}/,
		/\{[^}]{1,50}\}/,
		/%[A-Z_]{1,30}%/,
		/\$[A-Z_]{1,30}/
	].some((pattern) => pattern.test(str));
}
function isLikelyRealUsername(username) {
	if (username.length < 2) return false;
	if (isVariableLikeString$1(username)) return false;
	if (BUILTIN_IGNORED_PATTERNS$1.some((pattern) => username.toLowerCase().includes(pattern.toLowerCase()))) return false;
	return true;
}
function isLikelyRealPassword$1(password) {
	if (password.length < 4) return false;
	if (isVariableLikeString$1(password)) return false;
	if (BUILTIN_IGNORED_PATTERNS$1.some((pattern) => password.toLowerCase().includes(pattern.toLowerCase()))) return false;
	if (/^(.)\1{3,}$/.test(password)) return false;
	return true;
}
function reportIfFoundBasicAuth({ source, options, context, t }) {
	const results = source.content.matchAll(/(?<protocol>(?:https?|ftp|ftps)):\/\/(?<user>[-a-zA-Z0-9_]{1,256}):(?<password>[-a-zA-Z0-9_]{1,256})@[-a-zA-Z0-9%._+~#=]{1,256}\.[a-zA-Z0-9()]{1,6}\b/g);
	for (const result of results) {
		const index = result.index || 0;
		const match = result[0] || "";
		const username = result.groups?.user;
		const password = result.groups?.password;
		if (!username || !password) continue;
		if (!isLikelyRealUsername(username)) continue;
		if (!isLikelyRealPassword$1(password)) continue;
		const range = [index, index + match.length];
		if (regexpStringMatcherExports.matchPatterns(match, options.allows).length > 0) continue;
		context.report({
			message: t("BasicAuth", { CREDENTIAL: match }),
			range
		});
	}
}
const creator$l = {
	messages: messages$k,
	meta: {
		id: "@secretlint/secretlint-rule-basicauth",
		recommended: true,
		type: "scanner",
		supportedContentTypes: ["text"],
		docs: { url: "https://github.com/secretlint/secretlint/blob/master/packages/%40secretlint/secretlint-rule-basicauth/README.md" }
	},
	create(context, options) {
		const t = context.createTranslator(messages$k);
		const normalizedOptions = { allows: options.allows || [] };
		return { file(source) {
			reportIfFoundBasicAuth({
				source,
				options: normalizedOptions,
				context,
				t
			});
		} };
	}
};
const messages$j = { OPENAI_TOKEN: {
	en: (props) => `found OpenAI API token: ${props.TOKEN}`,
	ja: (props) => `OpenAI API トークン: ${props.TOKEN} がみつかりました`
} };
const creator$k = {
	messages: messages$j,
	meta: {
		id: "@secretlint/secretlint-rule-openai",
		recommended: true,
		type: "scanner",
		supportedContentTypes: ["text"],
		docs: { url: "https://github.com/secretlint/secretlint/blob/master/packages/%40secretlint/secretlint-rule-openai/README.md" }
	},
	create(context) {
		const t = context.createTranslator(messages$j);
		return { file(source) {
			const matches = source.content.matchAll(/sk-(?:proj|svcacct|admin)-(?:[A-Za-z0-9_-]{74}|[A-Za-z0-9_-]{58})T3BlbkFJ(?:[A-Za-z0-9_-]{74}|[A-Za-z0-9_-]{58})\b|sk-[a-zA-Z0-9]{20}T3BlbkFJ[a-zA-Z0-9]{20}/g);
			for (const match of matches) {
				const index = match.index ?? 0;
				const matchString = match[0] ?? "";
				const range = [index, index + matchString.length];
				context.report({
					message: t("OPENAI_TOKEN", { TOKEN: matchString }),
					range
				});
			}
		} };
	}
};
const messages$i = { ANTHROPIC_API_KEY: {
	en: (props) => `found Anthropic Claude API key: ${props.KEY}`,
	ja: (props) => `Anthropic Claude API キー: ${props.KEY} がみつかりました`
} };
const creator$j = {
	messages: messages$i,
	meta: {
		id: "@secretlint/secretlint-rule-anthropic",
		recommended: true,
		type: "scanner",
		supportedContentTypes: ["text"],
		docs: { url: "https://github.com/secretlint/secretlint/blob/master/packages/%40secretlint/secretlint-rule-anthropic/README.md" }
	},
	create(context) {
		const t = context.createTranslator(messages$i);
		return { file(source) {
			const matches = source.content.matchAll(/(?<!\p{L})sk-ant-api0\d-[A-Za-z0-9_-]{90,128}AA(?![A-Za-z0-9_-])/gu);
			for (const match of matches) {
				const index = match.index ?? 0;
				const matchString = match[0] ?? "";
				const range = [index, index + matchString.length];
				context.report({
					message: t("ANTHROPIC_API_KEY", { KEY: matchString }),
					range
				});
			}
		} };
	}
};
const messages$h = { GROQ_API_KEY: {
	en: (props) => `found Groq API key: ${props.KEY}`,
	ja: (props) => `Groq API キー: ${props.KEY} がみつかりました`
} };
const creator$i = {
	messages: messages$h,
	meta: {
		id: "@secretlint/secretlint-rule-groq",
		recommended: true,
		type: "scanner",
		supportedContentTypes: ["text"],
		docs: { url: "https://github.com/secretlint/secretlint/blob/master/packages/%40secretlint/secretlint-rule-groq/README.md" }
	},
	create(context, options) {
		const t = context.createTranslator(messages$h);
		const normalizedOptions = { allows: options?.allows ?? [] };
		return { file(source) {
			const matches = source.content.matchAll(/(?<!\p{L})gsk_[a-zA-Z0-9]{52}(?![a-zA-Z0-9])/gu);
			for (const match of matches) {
				const index = match.index ?? 0;
				const matchString = match[0] ?? "";
				if (regexpStringMatcherExports.matchPatterns(matchString, normalizedOptions.allows).length > 0) continue;
				const range = [index, index + matchString.length];
				context.report({
					message: t("GROQ_API_KEY", { KEY: matchString }),
					range
				});
			}
		} };
	}
};
const messages$g = { HUGGINGFACE_USER_ACCESS_TOKEN: {
	en: (props) => `found Hugging Face User Access Token: ${props.TOKEN}`,
	ja: (props) => `Hugging Face User Access Token: ${props.TOKEN} がみつかりました`
} };
const creator$h = {
	messages: messages$g,
	meta: {
		id: "@secretlint/secretlint-rule-huggingface",
		recommended: true,
		type: "scanner",
		supportedContentTypes: ["text"],
		docs: { url: "https://github.com/secretlint/secretlint/blob/master/packages/%40secretlint/secretlint-rule-huggingface/README.md" }
	},
	create(context, options) {
		const t = context.createTranslator(messages$g);
		const normalizedOptions = { allows: options?.allows ?? [] };
		return { file(source) {
			const matches = source.content.matchAll(/(?<!\p{L})hf_[a-zA-Z]{34}(?![a-zA-Z])/gu);
			for (const match of matches) {
				const index = match.index ?? 0;
				const matchString = match[0] ?? "";
				if (regexpStringMatcherExports.matchPatterns(matchString, normalizedOptions.allows).length > 0) continue;
				const range = [index, index + matchString.length];
				context.report({
					message: t("HUGGINGFACE_USER_ACCESS_TOKEN", { TOKEN: matchString }),
					range
				});
			}
		} };
	}
};
const messages$f = { LINEAR_API_TOKEN: {
	en: (props) => `found linear api token: ${props.ID}`,
	ja: (props) => `linear api token: ${props.ID} がみつかりました`
} };
const creator$g = {
	messages: messages$f,
	meta: {
		id: "@secretlint/secretlint-rule-linear",
		recommended: true,
		type: "scanner",
		supportedContentTypes: ["text"],
		docs: { url: "https://github.com/secretlint/secretlint/blob/master/packages/%40secretlint/secretlint-rule-linear/README.md" }
	},
	create(context) {
		const t = context.createTranslator(messages$f);
		return { file(source) {
			const matches = source.content.matchAll(/(?<!\p{L})lin_api_[a-zA-Z0-9_]{32,128}(?![a-zA-Z0-9_])/gu);
			for (const match of matches) {
				const index = match.index ?? 0;
				const matchString = match[0] ?? "";
				const range = [index, index + matchString.length];
				context.report({
					message: t("LINEAR_API_TOKEN", { ID: matchString }),
					range
				});
			}
		} };
	}
};
const messages$e = { NOTION_INTEGRATION_TOKEN: {
	en: (props) => `found Notion integration token: ${props.TOKEN}`,
	ja: (props) => `Notion integration トークン: ${props.TOKEN} がみつかりました`
} };
function reportIfFoundToken({ source, options, context, t }) {
	const results = source.content.matchAll(/(?<!\p{L})ntn_[0-9]{11}[A-Za-z0-9]{35}(?![A-Za-z0-9])/gu);
	for (const result of results) {
		const index = result.index ?? 0;
		const match = result[0] ?? "";
		const range = [index, index + match.length];
		if (regexpStringMatcherExports.matchPatterns(match, options.allows).length > 0) continue;
		context.report({
			message: t("NOTION_INTEGRATION_TOKEN", { TOKEN: match }),
			range
		});
	}
}
const creator$f = {
	messages: messages$e,
	meta: {
		id: "@secretlint/secretlint-rule-notion",
		recommended: true,
		type: "scanner",
		supportedContentTypes: ["text"],
		docs: { url: "https://github.com/secretlint/secretlint/blob/master/packages/%40secretlint/secretlint-rule-notion/README.md" }
	},
	create(context, options) {
		const t = context.createTranslator(messages$e);
		const normalizedOptions = { allows: options.allows ?? [] };
		return { file(source) {
			reportIfFoundToken({
				source,
				options: normalizedOptions,
				context,
				t
			});
		} };
	}
};
const messages$d = { PrivateKey: {
	en: (props) => `found private key: ${props.KEY}`,
	ja: (props) => `秘密鍵: ${props.KEY} がみつかりました`
} };
const PEM_CONTENT_PATTERN = /-----BEGIN[ ]?(?:(?:RSA|DSA|EC|OPENSSH|PGP) )?PRIVATE KEY(?: BLOCK)?-----\n?([A-Za-z0-9+/=\s\\]{100,10000})\n?-----END[ ]?(?:(?:RSA|DSA|EC|OPENSSH|PGP) )?PRIVATE KEY(?: BLOCK)?-----/gm;
function validateBase64KeyContent(base64Content) {
	if (!/^[A-Za-z0-9+/]+=*$/.test(base64Content)) return false;
	if (base64Content.length < 100) return false;
	if (!/^(MI|b3BlbnNzaC1rZXktdjE)/.test(base64Content)) return false;
	return true;
}
function reportIfFoundRawPrivateKey({ source, options, context, t }) {
	const results = source.content.matchAll(PEM_CONTENT_PATTERN);
	for (const result of results) {
		const index = result.index || 0;
		const match = result[0] || "";
		const base64Raw = result[1] || "";
		const range = [index, index + match.length];
		if (regexpStringMatcherExports.matchPatterns(match, options.allows).length > 0) continue;
		if (!validateBase64KeyContent(base64Raw.replace(/\s|\\n/g, ""))) continue;
		context.report({
			message: t("PrivateKey", { KEY: match }),
			range
		});
	}
}
const creator$e = {
	messages: messages$d,
	meta: {
		id: "@secretlint/secretlint-rule-privatekey",
		recommended: true,
		type: "scanner",
		supportedContentTypes: ["text"],
		docs: { url: "https://github.com/secretlint/secretlint/blob/master/packages/%40secretlint/secretlint-rule-privatekey/README.md" }
	},
	create(context, options) {
		const t = context.createTranslator(messages$d);
		const normalizedOptions = { allows: options.allows || [] };
		return { file(source) {
			reportIfFoundRawPrivateKey({
				source,
				options: normalizedOptions,
				context,
				t
			});
		} };
	}
};
const messages$c = { SENDGRID_KEY: {
	en: (props) => `found Sendgrid api key: ${props.KEY}`,
	ja: (props) => `Sendgrid APIキーが見つかりました： ${props.KEY}`
} };
function reportIfFoundKey$3({ source, options, context, t }) {
	const results = source.content.matchAll(/(?<!\p{L})SG\.\w{1,128}\.\w{1,128}([-_]?)\w{1,128}(?!\w)/gu);
	for (const result of results) {
		const index = result.index || 0;
		const match = result[0] || "";
		if (match.length !== 69) continue;
		const range = [index, index + match.length];
		if (regexpStringMatcherExports.matchPatterns(match, options.allows).length > 0) continue;
		context.report({
			message: t("SENDGRID_KEY", { KEY: match }),
			range
		});
	}
}
const creator$d = {
	messages: messages$c,
	meta: {
		id: "@secretlint/secretlint-rule-sendgrid",
		recommended: true,
		type: "scanner",
		supportedContentTypes: ["text"],
		docs: { url: "https://github.com/secretlint/secretlint/blob/master/packages/%40secretlint/secretlint-rule-sendgrid/README.md" }
	},
	create(context, options) {
		const t = context.createTranslator(messages$c);
		const normalizedOptions = { allows: options.allows || [] };
		return { file(source) {
			reportIfFoundKey$3({
				source,
				options: normalizedOptions,
				context,
				t
			});
		} };
	}
};
const messages$b = { SHOPIFY_KEY: {
	en: (props) => `found Shopify api key: ${props.KEY}`,
	ja: (props) => `Shopify APIキーが見つかりました： ${props.KEY}`
} };
function reportIfFoundKey$2({ source, options, context, t }) {
	const results = source.content.matchAll(/(?<!\p{L})(shppa|shpca|shpat|shpss)_[a-zA-Z0-9]{32,64}(?![a-zA-Z0-9])/gu);
	for (const result of results) {
		const index = result.index || 0;
		const match = result[0] || "";
		const range = [index, index + match.length];
		if (regexpStringMatcherExports.matchPatterns(match, options.allows).length > 0) continue;
		context.report({
			message: t("SHOPIFY_KEY", { KEY: match }),
			range
		});
	}
}
const creator$c = {
	messages: messages$b,
	meta: {
		id: "@secretlint/secretlint-rule-shopify",
		recommended: true,
		type: "scanner",
		supportedContentTypes: ["text"],
		docs: { url: "https://github.com/secretlint/secretlint/blob/master/packages/%40secretlint/secretlint-rule-shopify/README.md" }
	},
	create(context, options) {
		const t = context.createTranslator(messages$b);
		const normalizedOptions = { allows: options.allows || [] };
		return { file(source) {
			reportIfFoundKey$2({
				source,
				options: normalizedOptions,
				context,
				t
			});
		} };
	}
};
const messages$a = { GITHUB_TOKEN: {
	en: (props) => `found GitHub Token(${props.typeName}): ${props.KEY}`,
	ja: (props) => `GitHub Token(${props.typeName})が見つかりました： ${props.KEY}`
} };
const typeMap = new Map([
	["ghp", "GitHub personal access tokens"],
	["gho", "OAuth access tokens"],
	["ghu", "GitHub user-to-server tokens"],
	["ghs", "GitHub server-to-server tokens"],
	["ghr", "refresh tokens"],
	["github_pat", "fine-grained personal access tokens"]
]);
function reportIfFoundKey$1({ pattern, source, options, context, t }) {
	const results = source.content.matchAll(pattern);
	for (const result of results) {
		const index = result.index || 0;
		const type = result.groups?.type;
		const typeName = typeMap.get(type);
		if (!typeName) throw new Error("Unknown type:" + typeName);
		const match = result[0] || "";
		const range = [index, index + match.length];
		if (regexpStringMatcherExports.matchPatterns(match, options.allows).length > 0) continue;
		context.report({
			message: t("GITHUB_TOKEN", {
				KEY: match,
				typeName
			}),
			range
		});
	}
}
const creator$b = {
	messages: messages$a,
	meta: {
		id: "@secretlint/secretlint-rule-github",
		recommended: true,
		type: "scanner",
		supportedContentTypes: ["text"],
		docs: { url: "https://github.com/secretlint/secretlint/blob/master/packages/%40secretlint/secretlint-rule-github/README.md" }
	},
	create(context, options) {
		const patterns = [/(?<!\p{L})(?<type>ghp|gho|ghu|ghs|ghr)_[A-Za-z0-9_]{36}(?![A-Za-z0-9_])/gu, /(?<!\p{L})(?<type>github_pat)_[A-Za-z0-9_]{82}(?![A-Za-z0-9_])/gu];
		const t = context.createTranslator(messages$a);
		const normalizedOptions = { allows: options.allows || [] };
		return { file(source) {
			for (const pattern of patterns) reportIfFoundKey$1({
				pattern,
				source,
				options: normalizedOptions,
				context,
				t
			});
		} };
	}
};
const messages$9 = { GITLAB_PERSONAL_ACCESS_TOKEN: {
	en: (props) => `found GitLab Personal Access Token: ${props.KEY}`,
	ja: (props) => `GitLab Personal Access Tokenが見つかりました: ${props.KEY}`
} };
function reportIfFoundKey({ pattern, source, options, context, t }) {
	const results = source.content.matchAll(pattern);
	for (const result of results) {
		const index = result.index ?? 0;
		const match = result[0] ?? "";
		const range = [index, index + match.length];
		if (regexpStringMatcherExports.matchPatterns(match, options.allows).length > 0) continue;
		context.report({
			message: t("GITLAB_PERSONAL_ACCESS_TOKEN", { KEY: match }),
			range
		});
	}
}
const creator$a = {
	messages: messages$9,
	meta: {
		id: "@secretlint/secretlint-rule-gitlab",
		recommended: true,
		type: "scanner",
		supportedContentTypes: ["text"],
		docs: { url: "https://github.com/secretlint/secretlint/blob/master/packages/%40secretlint/secretlint-rule-gitlab/README.md" }
	},
	create(context, options) {
		const patterns = [/(?<!\p{L})glpat-[A-Za-z0-9_-]{20,128}(?![A-Za-z0-9_-])/gu];
		const t = context.createTranslator(messages$9);
		const normalizedOptions = { allows: options.allows ?? [] };
		return { file(source) {
			for (const pattern of patterns) reportIfFoundKey({
				pattern,
				source,
				options: normalizedOptions,
				context,
				t
			});
		} };
	}
};
const messages$8 = {
	GRAFANA_CLOUD_API_TOKEN: {
		en: (props) => `found Grafana Cloud API token: ${props.TOKEN}`,
		ja: (props) => `Grafana Cloud API トークン: ${props.TOKEN} がみつかりました`
	},
	GRAFANA_SERVICE_ACCOUNT_TOKEN: {
		en: (props) => `found Grafana Service Account token: ${props.TOKEN}`,
		ja: (props) => `Grafana Service Account トークン: ${props.TOKEN} がみつかりました`
	}
};
function reportIfFound({ pattern, messageId, source, options, context, t }) {
	const results = source.content.matchAll(pattern);
	for (const result of results) {
		const index = result.index ?? 0;
		const match = result[0] ?? "";
		if (regexpStringMatcherExports.matchPatterns(match, options.allows).length > 0) continue;
		const range = [index, index + match.length];
		context.report({
			message: t(messageId, { TOKEN: match }),
			range
		});
	}
}
const creator$9 = {
	messages: messages$8,
	meta: {
		id: "@secretlint/secretlint-rule-grafana",
		recommended: true,
		type: "scanner",
		supportedContentTypes: ["text"],
		docs: { url: "https://github.com/secretlint/secretlint/blob/master/packages/%40secretlint/secretlint-rule-grafana/README.md" }
	},
	create(context, options) {
		const t = context.createTranslator(messages$8);
		const normalizedOptions = { allows: options?.allows ?? [] };
		const GRAFANA_CLOUD_API_TOKEN_PATTERN = /(?<!\p{L})glc_[A-Za-z0-9+/]{32,400}={0,2}(?![A-Za-z0-9+/=])/gu;
		const GRAFANA_SERVICE_ACCOUNT_TOKEN_PATTERN = /(?<!\p{L})glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}(?![A-Fa-f0-9])/gu;
		return { file(source) {
			reportIfFound({
				pattern: GRAFANA_CLOUD_API_TOKEN_PATTERN,
				messageId: "GRAFANA_CLOUD_API_TOKEN",
				source,
				options: normalizedOptions,
				context,
				t
			});
			reportIfFound({
				pattern: GRAFANA_SERVICE_ACCOUNT_TOKEN_PATTERN,
				messageId: "GRAFANA_SERVICE_ACCOUNT_TOKEN",
				source,
				options: normalizedOptions,
				context,
				t
			});
		} };
	}
};
const messages$7 = { OPS_TOKEN: {
	en: (props) => `found 1Password Service Account token: ${props.TOKEN}`,
	ja: (props) => `1Password Service Account: ${props.TOKEN} がみつかりました`
} };
const is1PasswordServiceAccountToken = (base64String) => {
	try {
		const jsonString = atob(base64String.replace(/-/g, "+").replace(/_/g, "/"));
		const json = JSON.parse(jsonString);
		return typeof json === "object" && json !== null;
	} catch (error) {
		return false;
	}
};
const creator$8 = {
	messages: messages$7,
	meta: {
		id: "@secretlint/secretlint-rule-1password",
		recommended: true,
		type: "scanner",
		supportedContentTypes: ["text"],
		docs: { url: "https://github.com/secretlint/secretlint/blob/master/packages/%40secretlint/secretlint-rule-1password/README.md" }
	},
	create(context, options) {
		const t = context.createTranslator(messages$7);
		const normalizedOptions = { allows: options?.allows ?? [] };
		return { file(source) {
			const matches = source.content.matchAll(/(?<!\p{L})ops_(ey[A-Za-z0-9+/=]{100,1280}fQ={0,2})(?![A-Za-z0-9+/=])/gu);
			for (const match of matches) {
				const index = match.index ?? 0;
				const matchString = match[0] ?? "";
				const base64String = match[1] ?? "";
				if (!is1PasswordServiceAccountToken(base64String)) continue;
				if (regexpStringMatcherExports.matchPatterns(matchString, normalizedOptions.allows).length > 0) continue;
				const range = [index, index + matchString.length];
				context.report({
					message: t("OPS_TOKEN", { TOKEN: matchString }),
					range
				});
			}
		} };
	}
};
const messages$6 = {
	MongoDBConnection: {
		en: (props) => `found MongoDB connection string: ${props.URI}`,
		ja: (props) => `MongoDB接続文字列: ${props.URI} がみつかりました`
	},
	MySQLConnection: {
		en: (props) => `found MySQL connection string: ${props.URI}`,
		ja: (props) => `MySQL接続文字列: ${props.URI} がみつかりました`
	},
	PostgreSQLConnection: {
		en: (props) => `found PostgreSQL connection string: ${props.URI}`,
		ja: (props) => `PostgreSQL接続文字列: ${props.URI} がみつかりました`
	}
};
const BUILTIN_IGNORED_PATTERNS = [
	"localhost",
	"127.0.0.1",
	"example.com",
	"example.org",
	"test.com",
	"password",
	"username",
	"secret",
	"mypassword",
	"myusername",
	"root",
	"admin",
	"user",
	"pass",
	"{password}",
	"${password}",
	"{{password}}",
	"{username}",
	"${username}",
	"{{username}}",
	"YOUR_PASSWORD",
	"YOUR_USERNAME",
	"REPLACE_WITH_PASSWORD"
];
function isVariableLikeString(str) {
	return [
		/\$\{[^}]{1,50}\}/,
		/\{\{[^}]{1,50}\}\}/,
		/\{[^}]{1,50}\}/,
		/%[A-Z_]{1,30}%/,
		/\$[A-Z_]{1,30}/,
		/\$\([^)]{1,50}\)/
	].some((pattern) => pattern.test(str));
}
function isLikelyRealPassword(password) {
	if (password.length < 4) return false;
	if (isVariableLikeString(password)) return false;
	const passwordLower = password.toLowerCase();
	if (BUILTIN_IGNORED_PATTERNS.some((pattern) => passwordLower === pattern.toLowerCase())) return false;
	if (/^(.)\1{3,}$/.test(password)) return false;
	return true;
}
function reportMongoDBConnectionString({ source, options, context, t }) {
	const results = source.content.matchAll(/mongodb(?:\+srv)?:\/\/(?:(?<username>[^:\/\s]{1,100}):(?<password>[^@\/\s]{1,200})@)?(?<host>[^\/\s?]{1,100})(?:\/(?<database>[^?\s]{0,100}))?(?:\?(?<options>[^\s]{0,500}))?/gi);
	for (const result of results) {
		const index = result.index || 0;
		const match = result[0] || "";
		const username = result.groups?.username;
		const password = result.groups?.password;
		if (!username || !password) continue;
		if (!isLikelyRealPassword(password)) continue;
		const range = [index, index + match.length];
		if (regexpStringMatcherExports.matchPatterns(match, options.allows).length > 0) continue;
		context.report({
			message: t("MongoDBConnection", { URI: match }),
			range
		});
	}
}
function reportMySQLConnectionString({ source, options, context, t }) {
	const results = source.content.matchAll(/(?:jdbc:)?mysql(?:x)?:\/\/(?:(?<username>[^:\/\s]{1,100}):(?<password>[^@\/\s]{1,200})@)?(?<host>[^\/\s?]{1,100})(?:\/(?<database>[^?\s]{0,100}))?(?:\?(?<options>[^\s]{0,500}))?/gi);
	for (const result of results) {
		const index = result.index || 0;
		const match = result[0] || "";
		const username = result.groups?.username;
		const password = result.groups?.password;
		if (!username || !password) continue;
		if (!isLikelyRealPassword(password)) continue;
		const range = [index, index + match.length];
		if (regexpStringMatcherExports.matchPatterns(match, options.allows).length > 0) continue;
		context.report({
			message: t("MySQLConnection", { URI: match }),
			range
		});
	}
}
function reportPostgreSQLConnectionString({ source, options, context, t }) {
	const results = source.content.matchAll(/postgres(?:ql)?:\/\/(?:(?<username>[^:\/\s]{1,100}):(?<password>[^@\/\s]{1,200})@)?(?<host>[^\/\s?]{1,100})(?:\/(?<database>[^?\s]{0,100}))?(?:\?(?<options>[^\s]{0,500}))?/gi);
	for (const result of results) {
		const index = result.index || 0;
		const match = result[0] || "";
		const username = result.groups?.username;
		const password = result.groups?.password;
		if (!username || !password) continue;
		if (!isLikelyRealPassword(password)) continue;
		const range = [index, index + match.length];
		if (regexpStringMatcherExports.matchPatterns(match, options.allows).length > 0) continue;
		context.report({
			message: t("PostgreSQLConnection", { URI: match }),
			range
		});
	}
}
const creator$7 = {
	messages: messages$6,
	meta: {
		id: "@secretlint/secretlint-rule-database-connection-string",
		recommended: true,
		type: "scanner",
		supportedContentTypes: ["text"],
		docs: { url: "https://github.com/secretlint/secretlint/blob/master/packages/%40secretlint/secretlint-rule-database-connection-string/README.md" }
	},
	create(context, options) {
		const normalizedOptions = { allows: options.allows || [] };
		const t = context.createTranslator(messages$6);
		return { file(source) {
			reportMongoDBConnectionString({
				source,
				options: normalizedOptions,
				context,
				t
			});
			reportMySQLConnectionString({
				source,
				options: normalizedOptions,
				context,
				t
			});
			reportPostgreSQLConnectionString({
				source,
				options: normalizedOptions,
				context,
				t
			});
		} };
	}
};
const messages$5 = {
	HASHICORP_VAULT_SERVICE_TOKEN: {
		en: (props) => `found HashiCorp Vault service token: ${props.TOKEN}`,
		ja: (props) => `HashiCorp Vault service token: ${props.TOKEN} がみつかりました`
	},
	HASHICORP_VAULT_BATCH_TOKEN: {
		en: (props) => `found HashiCorp Vault batch token: ${props.TOKEN}`,
		ja: (props) => `HashiCorp Vault batch token: ${props.TOKEN} がみつかりました`
	},
	HASHICORP_VAULT_RECOVERY_TOKEN: {
		en: (props) => `found HashiCorp Vault recovery token: ${props.TOKEN}`,
		ja: (props) => `HashiCorp Vault recovery token: ${props.TOKEN} がみつかりました`
	}
};
const serviceTokenPattern = /(?<!\p{L})hvs\.[A-Za-z0-9_-]{90,120}(?![A-Za-z0-9_-])/gu;
const batchTokenPattern = /(?<!\p{L})hvb\.[A-Za-z0-9_-]{138,300}(?![A-Za-z0-9_-])/gu;
const recoveryTokenPattern = /(?<!\p{L})hvr\.[A-Za-z0-9_-]{90,120}(?![A-Za-z0-9_-])/gu;
const creator$6 = {
	messages: messages$5,
	meta: {
		id: "@secretlint/secretlint-rule-hashicorp-vault",
		recommended: true,
		type: "scanner",
		supportedContentTypes: ["text"],
		docs: { url: "https://github.com/secretlint/secretlint/blob/master/packages/%40secretlint/secretlint-rule-hashicorp-vault/README.md" }
	},
	create(context, options) {
		const t = context.createTranslator(messages$5);
		const normalizedOptions = { allows: options?.allows ?? [] };
		const reportMatches = (source, pattern, messageId) => {
			const matches = source.content.matchAll(pattern);
			for (const match of matches) {
				const index = match.index ?? 0;
				const matchString = match[0] ?? "";
				if (regexpStringMatcherExports.matchPatterns(matchString, normalizedOptions.allows).length > 0) continue;
				const range = [index, index + matchString.length];
				context.report({
					message: t(messageId, { TOKEN: matchString }),
					range
				});
			}
		};
		return { file(source) {
			reportMatches(source, serviceTokenPattern, "HASHICORP_VAULT_SERVICE_TOKEN");
			reportMatches(source, batchTokenPattern, "HASHICORP_VAULT_BATCH_TOKEN");
			reportMatches(source, recoveryTokenPattern, "HASHICORP_VAULT_RECOVERY_TOKEN");
		} };
	}
};
const messages$4 = {
	VERCEL_PERSONAL_ACCESS_TOKEN: {
		en: (props) => `found Vercel personal access token: ${props.ID}`,
		ja: (props) => `Vercel personal access token: ${props.ID} がみつかりました`
	},
	VERCEL_INTEGRATION_TOKEN: {
		en: (props) => `found Vercel integration token: ${props.ID}`,
		ja: (props) => `Vercel integration token: ${props.ID} がみつかりました`
	},
	VERCEL_APP_ACCESS_TOKEN: {
		en: (props) => `found Vercel app access token: ${props.ID}`,
		ja: (props) => `Vercel app access token: ${props.ID} がみつかりました`
	},
	VERCEL_APP_REFRESH_TOKEN: {
		en: (props) => `found Vercel app refresh token: ${props.ID}`,
		ja: (props) => `Vercel app refresh token: ${props.ID} がみつかりました`
	},
	VERCEL_AI_GATEWAY_API_KEY: {
		en: (props) => `found Vercel AI Gateway API key: ${props.ID}`,
		ja: (props) => `Vercel AI Gateway API key: ${props.ID} がみつかりました`
	}
};
const prefixToMessageId = {
	vcp: "VERCEL_PERSONAL_ACCESS_TOKEN",
	vci: "VERCEL_INTEGRATION_TOKEN",
	vca: "VERCEL_APP_ACCESS_TOKEN",
	vcr: "VERCEL_APP_REFRESH_TOKEN",
	vck: "VERCEL_AI_GATEWAY_API_KEY"
};
const creator$5 = {
	messages: messages$4,
	meta: {
		id: "@secretlint/secretlint-rule-vercel",
		recommended: true,
		type: "scanner",
		supportedContentTypes: ["text"],
		docs: { url: "https://github.com/secretlint/secretlint/blob/master/packages/%40secretlint/secretlint-rule-vercel/README.md" }
	},
	create(context, options) {
		const t = context.createTranslator(messages$4);
		const normalizedOptions = { allows: options?.allows ?? [] };
		return { file(source) {
			const matches = source.content.matchAll(/(?<!\p{L})(?<prefix>vcp|vci|vca|vcr|vck)_[A-Za-z0-9]{20,60}(?![A-Za-z0-9])/gu);
			for (const match of matches) {
				const index = match.index ?? 0;
				const matchString = match[0] ?? "";
				const prefix = match.groups?.prefix;
				const messageId = prefixToMessageId[prefix];
				if (regexpStringMatcherExports.matchPatterns(matchString, normalizedOptions.allows).length > 0) continue;
				const range = [index, index + matchString.length];
				context.report({
					message: t(messageId, { ID: matchString }),
					range
				});
			}
		} };
	}
};
const messages$3 = { DATABRICKS_PERSONAL_ACCESS_TOKEN: {
	en: (props) => `found Databricks personal access token: ${props.ID}`,
	ja: (props) => `Databricks personal access token: ${props.ID} がみつかりました`
} };
const creator$4 = {
	messages: messages$3,
	meta: {
		id: "@secretlint/secretlint-rule-databricks",
		recommended: true,
		type: "scanner",
		supportedContentTypes: ["text"],
		docs: { url: "https://github.com/secretlint/secretlint/blob/master/packages/%40secretlint/secretlint-rule-databricks/README.md" }
	},
	create(context, options) {
		const t = context.createTranslator(messages$3);
		const normalizedOptions = { allows: options?.allows ?? [] };
		return { file(source) {
			const matches = source.content.matchAll(/(?<!\p{L})dapi[A-Fa-f0-9]{32}(?:-[0-9])?(?![A-Fa-f0-9])/gu);
			for (const match of matches) {
				const index = match.index ?? 0;
				const matchString = match[0] ?? "";
				if (regexpStringMatcherExports.matchPatterns(matchString, normalizedOptions.allows).length > 0) continue;
				const range = [index, index + matchString.length];
				context.report({
					message: t("DATABRICKS_PERSONAL_ACCESS_TOKEN", { ID: matchString }),
					range
				});
			}
		} };
	}
};
const messages$2 = { DOCKER_PERSONAL_ACCESS_TOKEN: {
	en: (props) => `found Docker Personal Access Token: ${props.TOKEN}`,
	ja: (props) => `Docker Personal Access Token: ${props.TOKEN} がみつかりました`
} };
function reportIfFoundDockerPAT({ source, options, context, t }) {
	const results = source.content.matchAll(/(?<!\p{L})dckr_pat_[a-zA-Z0-9_-]{27}(?![a-zA-Z0-9_-])/gu);
	for (const result of results) {
		const index = result.index || 0;
		const match = result[0] || "";
		const range = [index, index + match.length];
		if (regexpStringMatcherExports.matchPatterns(match, options.allows).length > 0) continue;
		context.report({
			message: t("DOCKER_PERSONAL_ACCESS_TOKEN", { TOKEN: match }),
			range
		});
	}
}
const creator$3 = {
	messages: messages$2,
	meta: {
		id: "@secretlint/secretlint-rule-docker",
		recommended: true,
		type: "scanner",
		supportedContentTypes: ["text"],
		docs: { url: "https://github.com/secretlint/secretlint/blob/master/packages/%40secretlint/secretlint-rule-docker/README.md" }
	},
	create(context, options) {
		const t = context.createTranslator(messages$2);
		const normalizedOptions = { allows: options.allows || [] };
		return { file(source) {
			reportIfFoundDockerPAT({
				source,
				options: normalizedOptions,
				context,
				t
			});
		} };
	}
};
const messages$1 = { FIGMA_PERSONAL_ACCESS_TOKEN: {
	en: (props) => `found Figma Personal Access Token: ${props.ID}`,
	ja: (props) => `Figma Personal Access Token: ${props.ID} がみつかりました`
} };
const creator$2 = {
	messages: messages$1,
	meta: {
		id: "@secretlint/secretlint-rule-figma",
		recommended: true,
		type: "scanner",
		supportedContentTypes: ["text"],
		docs: { url: "https://github.com/secretlint/secretlint/blob/master/packages/%40secretlint/secretlint-rule-figma/README.md" }
	},
	create(context, options) {
		const t = context.createTranslator(messages$1);
		const normalizedOptions = { allows: options?.allows ?? [] };
		return { file(source) {
			const matches = source.content.matchAll(/(?<!\p{L})figd_[A-Za-z0-9_-]{40,200}(?![A-Za-z0-9_-])/gu);
			for (const match of matches) {
				const index = match.index ?? 0;
				const matchString = match[0] ?? "";
				if (regexpStringMatcherExports.matchPatterns(matchString, normalizedOptions.allows).length > 0) continue;
				const range = [index, index + matchString.length];
				context.report({
					message: t("FIGMA_PERSONAL_ACCESS_TOKEN", { ID: matchString }),
					range
				});
			}
		} };
	}
};
const HTML_COMMENT_REGEXP = /(?<type>secretlint-(?:disable-next-line|disable-line|disable|enable))(?<options>.*)/g;
const parseComments = (source) => {
	const matches = source.content.matchAll(HTML_COMMENT_REGEXP);
	return Array.from(matches).map((match) => {
		const type = match.groups?.type;
		const index = match.index;
		if (type === "secretlint-disable-line") return {
			type,
			options: parseComment(match.groups?.options),
			line: source.indexToPosition(index).line
		};
		if (type === "secretlint-disable-next-line") return {
			type,
			options: parseComment(match.groups?.options),
			line: source.indexToPosition(index).line + 1
		};
		return {
			type,
			options: parseComment(match.groups?.options),
			index
		};
	});
};
function parseComment(options) {
	if (!options) return [];
	const commentStart = options.indexOf("--");
	return (commentStart === -1 ? options : options.slice(0, commentStart)).split(/,/).map((arg) => arg.trim()).filter((arg) => arg !== "") ?? [];
}
var CommentState = class {
	source;
	reportingConfig;
	endIndex;
	constructor(source) {
		this.source = source;
		this.reportingConfig = [];
		this.endIndex = source.content.length;
	}
	getIgnoringMessages() {
		const isFilledMessage = (message) => {
			return message.startIndex !== null && message.endIndex !== null && message.ruleId !== null;
		};
		return this.reportingConfig.map((reporting) => {
			if (reporting.endIndex === null) reporting.endIndex = this.endIndex;
			return reporting;
		}).filter(isFilledMessage);
	}
	disableLine(lineNumber, rulesToDisable) {
		const reportingConfig = this.reportingConfig;
		const range = this.source.locationToRange({
			start: {
				line: lineNumber,
				column: 0
			},
			end: {
				line: lineNumber + 1,
				column: 0
			}
		});
		if (rulesToDisable.length) rulesToDisable.forEach((ruleId) => {
			reportingConfig.push({
				startIndex: range[0],
				endIndex: range[1] - 1,
				ruleId
			});
		});
		else reportingConfig.push({
			startIndex: range[0],
			endIndex: range[1] - 1,
			ruleId: "*"
		});
	}
	disableReporting(startIndex, rulesToDisable) {
		const reportingConfig = this.reportingConfig;
		if (rulesToDisable.length) rulesToDisable.forEach(function(ruleId) {
			reportingConfig.push({
				startIndex,
				endIndex: null,
				ruleId
			});
		});
		else reportingConfig.push({
			startIndex,
			endIndex: null,
			ruleId: "*"
		});
	}
	enableReporting(endIndex, rulesToEnable) {
		const reportingConfig = this.reportingConfig;
		if (rulesToEnable.length) rulesToEnable.forEach(function(ruleId) {
			for (let i = reportingConfig.length - 1; i >= 0; i--) if (!reportingConfig[i].endIndex && reportingConfig[i].ruleId === ruleId) {
				reportingConfig[i].endIndex = endIndex;
				break;
			}
		});
		else {
			let prevStart;
			for (let i = reportingConfig.length - 1; i >= 0; i--) {
				if (prevStart && prevStart !== reportingConfig[i].startIndex) break;
				if (!reportingConfig[i].endIndex) {
					reportingConfig[i].endIndex = endIndex;
					prevStart = reportingConfig[i].startIndex;
				}
			}
		}
	}
};
const messages = { IGNORE_MESSAGE: { en: () => `disable by secretlint-disable comment` } };
const rules = [
	creator$p,
	creator$o,
	creator$e,
	creator$n,
	creator$l,
	creator$m,
	creator$d,
	creator$c,
	creator$b,
	creator$a,
	creator$9,
	creator$k,
	creator$j,
	creator$i,
	creator$h,
	creator$g,
	creator$f,
	creator$8,
	creator$7,
	creator$6,
	creator$5,
	creator$4,
	creator$3,
	creator$2,
	{
		messages,
		meta: {
			id: "@secretlint/secretlint-rule-filter-comments",
			recommended: true,
			type: "scanner",
			supportedContentTypes: ["text"],
			docs: { url: "https://github.com/secretlint/secretlint/blob/master/packages/%40secretlint/secretlint-rule-filter-comments/README.md" }
		},
		create(context) {
			const t = context.createTranslator(messages);
			return { file(source) {
				const state = new CommentState(source);
				const comments = parseComments(source);
				for (const comment of comments) if (comment.type === "secretlint-disable") state.disableReporting(comment.index, comment.options);
				else if (comment.type === "secretlint-enable") state.enableReporting(comment.index, comment.options);
				else if (comment.type === "secretlint-disable-line") state.disableLine(comment.line, comment.options);
				else if (comment.type === "secretlint-disable-next-line") state.disableLine(comment.line, comment.options);
				state.getIgnoringMessages().forEach((message) => {
					context.ignore({
						message: t("IGNORE_MESSAGE"),
						range: [message.startIndex, message.endIndex],
						targetRuleId: message.ruleId
					});
				});
			} };
		}
	}
];
const creator = {
	meta: {
		id: "@secretlint/secretlint-rule-preset-recommend",
		recommended: true,
		type: "preset"
	},
	rules,
	create(context, _options) {
		rules.forEach((rule) => {
			context.registerRule(rule);
		});
	}
};
// src/read/secrets.ts
secretLintProfiler.mark = () => {};
const RULE = {
	id: "@secretlint/secretlint-rule-preset-recommend",
	rule: creator
};
const MASK = 42;
async function maskSecrets(contents) {
	const masked = new Map();
	const problems = [];
	for (const [file, bytes] of contents) {
		const messages = await lint(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1"), file);
		if (messages.length === 0) {
			masked.set(file, bytes);
			continue;
		}
		const copy = Uint8Array.from(bytes);
		const told = new Set();
		for (const { ruleId = "", range, loc } of messages) {
			for (let at = range[0]; at < range[1]; at++) if (copy[at] !== 10 && copy[at] !== 13) copy[at] = MASK;
			const what = kindOf(ruleId);
			const line = loc.start.line;
			if (told.has(`${what} ${line}`)) continue;
			told.add(`${what} ${line}`);
			problems.push({
				kind: "secret",
				file,
				line,
				what
			});
		}
		masked.set(file, copy);
	}
	return {
		contents: masked,
		problems: problems.slice(0, MOST$1)
	};
}
const MOST$1 = 64;
async function secretsIn(text) {
	return (await lint(text, "report.txt")).map(({ range }) => text.slice(range[0], range[1]));
}
async function maskTexts(texts, known) {
	const masked = new Map();
	const kinds = new Set();
	for (const text of new Set(texts)) {
		if (!known.some((secret) => text.includes(secret))) continue;
		const messages = await lint(text, "report.txt");
		if (messages.length === 0) continue;
		let left = text;
		for (const { ruleId = "", range } of messages) {
			left = left.slice(0, range[0]) + "*".repeat(range[1] - range[0]) + left.slice(range[1]);
			kinds.add(kindOf(ruleId));
		}
		masked.set(text, left);
	}
	return {
		masked,
		kinds
	};
}
async function lint(content, file) {
	const source = {
		content,
		filePath: file,
		ext: file.slice(file.lastIndexOf(".")),
		contentType: "text"
	};
	return (await lintSource({
		source,
		options: { config: { rules: [RULE] } }
	})).messages;
}
function kindOf(ruleId) {
	return ruleId.replace(/^.*secretlint-rule-/, "");
}
// src/read/bundle.ts
async function readBundleDirectory(directory, name) {
	const top = lstatSync(directory, { throwIfNoEntry: false });
	if (top === void 0) return {
		name,
		evidence: null,
		absent: "no directory",
		problems: []
	};
	if (!top.isDirectory()) return noDirectory(name, top.isSymbolicLink() ? "symbolic link" : "file");
	return assemble(name, readdirSync(directory).map((file) => {
		const stat = lstatSync(join(directory, file));
		if (stat.isFile()) return {
			name: file,
			what: "file",
			size: stat.size
		};
		return {
			name: file,
			what: stat.isSymbolicLink() ? "symbolic link" : stat.isDirectory() ? "directory" : "special file",
			size: 0
		};
	}), (files) => files.map((file) => readRegular(join(directory, file.name))));
}
function noDirectory(name, what) {
	return {
		name,
		evidence: null,
		absent: "no file can be read",
		problems: [{
			kind: "not-regular",
			file: "",
			what
		}]
	};
}
async function assemble(name, entries, read) {
	const { files, problems } = chooseFiles(entries);
	if (files.length === 0) return {
		name,
		evidence: null,
		absent: entries.length === 0 ? "empty directory" : "no file can be read",
		problems
	};
	const bytes = read(files);
	const contents = new Map(files.map((file, index) => [file.name, bytes[index] ?? new Uint8Array()]));
	const masked = await maskSecrets(contents);
	const evidence = readEvidence(name, masked.contents, [...problems, ...masked.problems], contents);
	return {
		name,
		evidence,
		absent: null,
		problems: evidence.problems
	};
}
function readRegular(path) {
	const file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
	try {
		return fstatSync(file).isFile() ? readFileSync(file) : new Uint8Array();
	} finally {
		closeSync(file);
	}
}
// src/read/recording.ts
async function readOwnRecording(directory, ended) {
	const evidence = await readOrNull(directory, "CI");
	const result = {
		...ended,
		signal: ended.exitCode === null ? "killed" : null,
		shared: false
	};
	return {
		evidence: evidence ?? nothing("CI"),
		result,
		notes: notesOf(evidence)
	};
}
async function readEarlierRecording(directory, name, result, shared = false) {
	const evidence = await readOrNull(directory, name);
	const exitCode = exitCodeOf(evidence?.exits ?? []);
	return {
		evidence: evidence ?? nothing(name),
		result: {
			name,
			exitCode,
			signal: null,
			result,
			shared
		},
		notes: notesOf(evidence)
	};
}
async function readOrNull(directory, name) {
	try {
		return (await readBundleDirectory(directory, name)).evidence;
	} catch {
		return null;
	}
}
function notesOf(evidence) {
	if (evidence === null) return [{
		kind: "not-recorded",
		what: "nothing of CI's own run was recorded",
		remedy: "the log of this step says why; the comparison is then without CI's toolchain, packages and tests"
	}];
	const older = evidence.run?.olderJUnit ?? [];
	return older.length > 0 ? [{
		kind: "stale-junit",
		files: older
	}] : [];
}
function nothing(name) {
	return {
		name,
		format: null,
		files: [],
		exits: [],
		toolchain: null,
		run: null,
		locks: [],
		freezes: [],
		tests: null,
		problems: []
	};
}
// src/record/git.ts
var GitError = class extends Error {
	constructor(message) {
		super(message);
		this.name = "GitError";
	}
};
var Git = class Git {
	top;
	#remote;
	#objects = null;
	#refused = false;
	constructor(top, remote) {
		this.top = top;
		this.#remote = remote;
	}
	static empty(directory, remote) {
		const git = new Git(directory, remote);
		git.run([
			"init",
			"--quiet",
			"--initial-branch=none"
		]);
		git.run([
			"remote",
			"add",
			"origin",
			remote.url
		]);
		return git;
	}
	static open(directory, remote = null) {
		if (!existsSync(directory)) return {
			git: null,
			why: `there is no directory ${directory}`,
			missing: false
		};
		const asked = spawnSync("git", [
			"-c",
			"safe.directory=*",
			"rev-parse",
			"--show-toplevel"
		], {
			cwd: directory,
			encoding: "utf8"
		});
		if (asked.error !== void 0) return {
			git: null,
			why: "git is not installed",
			missing: true
		};
		if (asked.status !== 0) return {
			git: null,
			why: "this is no git repository",
			missing: false
		};
		return { git: new Git(asked.stdout.replace(/\n$/, ""), remote) };
	}
	commit(name) {
		const asked = this.#ask([
			"rev-parse",
			"--verify",
			"--quiet",
			"--end-of-options",
			`${name}^{commit}`
		]);
		return asked.status === 0 ? asked.stdout.toString().trim() : null;
	}
	isShallow() {
		return this.#text(["rev-parse", "--is-shallow-repository"]) === "true";
	}
	parents(commit) {
		return [...(this.run([
			"cat-file",
			"commit",
			commit
		]).toString().split("\n\n", 1)[0] ?? "").matchAll(/^parent ([0-9a-f]+)$/gm)].map((match) => match[1] ?? "");
	}
	fetch(commit) {
		const alone = this.isShallow() || this.commit("HEAD") === null;
		if (this.commit(commit) === null) this.#fetch([
			...alone ? ["--depth=1"] : [],
			"origin",
			commit
		]);
		return this.commit(commit) !== null;
	}
	deepen(commit, base) {
		if (!this.isShallow()) return;
		const far = base === null ? "--depth=50" : `--shallow-exclude=${base}`;
		if (!this.#fetch([
			far,
			"origin",
			commit
		]) && base !== null) this.#fetch([
			"--depth=50",
			"origin",
			commit
		]);
	}
	get refused() {
		return this.#refused;
	}
	#fetch(what) {
		if (this.#refused) return false;
		const options = [
			"--quiet",
			"--no-tags",
			"--no-write-fetch-head",
			"--no-recurse-submodules"
		];
		const fetched = (env) => this.#ask([
			"fetch",
			...options,
			...what
		], {
			timeout: 3e4,
			env
		});
		let asked = fetched({});
		if (asked.status === 128 && this.#remote?.token && !isGone(asked.stderr)) asked = fetched(authorization(this.#remote));
		if (asked.status === 0) return true;
		this.#refused = !isGone(asked.stderr);
		return false;
	}
	list(commit, directory) {
		return this.#entries(commit, directory === "." ? [] : ["--", `${directory}/`]);
	}
	entries(commit, paths) {
		return this.#entries(commit, ["--", ...paths]);
	}
	#entries(commit, path) {
		return splitNul(this.run([
			"ls-tree",
			"-z",
			"-l",
			"--full-tree",
			commit,
			...path
		])).flatMap((row) => {
			const match = /^(\d+) (\w+) ([0-9a-f]+) +(\d+|-)\t([\s\S]+)$/.exec(row);
			if (match === null) return [];
			const [, mode = "", type = "", oid = "", size = "", name = ""] = match;
			return [{
				mode,
				type,
				oid,
				size: size === "-" ? null : Number(size),
				path: name
			}];
		});
	}
	blobs(oids) {
		if (oids.length === 0) return [];
		const answer = this.run(["cat-file", "--batch"], { input: Buffer.from(`${oids.join("\n")}\n`) });
		let at = 0;
		return oids.map((oid) => {
			const end = answer.indexOf(10, at);
			const [, type, size] = answer.subarray(at, end).toString("latin1").split(" ");
			if (type !== "blob") throw new GitError(`git has no file ${oid}`);
			const start = end + 1;
			at = start + Number(size) + 1;
			return answer.subarray(start, at - 1);
		});
	}
	ignored(paths) {
		const asked = this.#ask([
			"check-ignore",
			"--no-index",
			"-z",
			"--stdin"
		], { input: Buffer.from(paths.join("\0")) });
		return asked.status === 0 ? splitNul(asked.stdout) : [];
	}
	mergeBase(one, other) {
		const asked = this.#ask([
			"merge-base",
			one,
			other
		]);
		return asked.status === 0 ? asked.stdout.toString().trim() : null;
	}
	recentChanges(commit, pathspecs) {
		const text = this.#text([
			"--glob-pathspecs",
			"log",
			"--max-count=20",
			"--format=%H",
			commit,
			"--",
			...pathspecs
		]);
		return text === "" ? [] : text.split("\n");
	}
	cutParents(commit) {
		const cut = new Set(readIfThere(this.#text([
			"rev-parse",
			"--path-format=absolute",
			"--git-path",
			"shallow"
		])));
		const ends = this.#text(["rev-list", commit]).split("\n").filter((one) => cut.has(one));
		return [...new Set(ends.flatMap((one) => this.parents(one)))];
	}
	objectDirectory() {
		this.#objects ??= this.#text([
			"rev-parse",
			"--path-format=absolute",
			"--git-path",
			"objects"
		]);
		return `"${this.#objects.replace(/[\\"]/g, "\\$&")}"`;
	}
	#ask(args, options = {}) {
		return spawnSync("git", [
			"--no-replace-objects",
			"-c",
			"safe.directory=*",
			"-c",
			"core.hooksPath=/dev/null",
			"-c",
			"core.fsmonitor=false",
			...args
		], {
			cwd: this.top,
			env: {
				...process.env,
				GIT_TERMINAL_PROMPT: "0",
				GIT_OPTIONAL_LOCKS: "0",
				LC_ALL: "C",
				...options.env
			},
			maxBuffer: 0x40000000,
			...options.input === void 0 ? {} : { input: options.input },
			...options.timeout === void 0 ? {} : { timeout: options.timeout }
		});
	}
	#text(args) {
		return this.run(args).toString().trim();
	}
	run(args, options = {}) {
		const done = this.#ask(args, options);
		if (done.status === 0) return done.stdout;
		const said = done.stderr?.toString().trim().split("\n").at(-1) ?? "";
		throw new GitError(`git ${args.find((arg) => !arg.startsWith("-"))} failed: ${said || done.error?.message || "killed"}`);
	}
};
function literalGlob(path) {
	return path.replace(/[\\*?[\]]/g, "\\$&");
}
function isGone(said) {
	return /not our ref|unadvertised object|remote ref|no commits selected|deepen|shallow/i.test(said?.toString() ?? "");
}
function authorization({ url, token }) {
	return {
		GIT_CONFIG_COUNT: "1",
		GIT_CONFIG_KEY_0: `http.${new URL(url).origin}/.extraheader`,
		GIT_CONFIG_VALUE_0: `AUTHORIZATION: basic ${Buffer.from(`x-access-token:${token}`).toString("base64")}`
	};
}
function readIfThere(path) {
	return existsSync(path) ? readFileSync(path, "utf8").split("\n") : [];
}
function splitNul(bytes) {
	return Buffer.from(bytes).toString("utf8").split("\0").filter(Boolean);
}
// src/record/trees.ts
var Trees = class {
	#git;
	#place;
	#indexes = 0;
	constructor(git) {
		this.#git = git;
		this.#place = mkdtempSync(join(tmpdir(), "scratch-evidence-git-"));
	}
	close() {
		rmSync(this.#place, {
			recursive: true,
			force: true
		});
	}
	without(commit, pathspecs) {
		return this.#write(commit, pathspecs);
	}
	workingTree(pathspecs) {
		return this.#write(this.#git.commit("HEAD"), pathspecs, (env) => {
			this.#git.run([
				"-c",
				"advice.addEmbeddedRepo=false",
				"-c",
				"core.safecrlf=false",
				"add",
				"-A"
			], { env });
		});
	}
	changed(commit, changes, pathspecs) {
		const lines = changes.map(({ mode, oid, quoted }) => `${mode} ${oid}\t${quoted}\n`);
		return this.#write(commit, pathspecs, (env) => {
			this.#git.run(["update-index", "--index-info"], {
				env,
				input: Buffer.from(lines.join(""))
			});
		});
	}
	differing(from, to) {
		const fields = this.#git.run([
			"diff-tree",
			"-r",
			"-z",
			"--no-renames",
			"--raw",
			"--abbrev=64",
			from,
			to
		], { env: this.#env("") }).toString().split("\0");
		return fields.flatMap((raw, at) => {
			const [, , , oid, letter] = raw.split(" ");
			const path = fields[at + 1];
			if (at % 2 === 1 || oid === void 0 || letter === void 0 || path === void 0) return [];
			return [{
				path,
				how: letter === "A" ? "added" : letter === "D" ? "removed" : "changed",
				oid
			}];
		});
	}
	file(tree, path, most) {
		const env = this.#env("");
		const row = this.#git.run([
			"ls-tree",
			"-z",
			"-l",
			"--full-tree",
			tree,
			"--",
			path
		], { env }).toString("latin1");
		const [, oid, size] = /^100\d{3} blob ([0-9a-f]+) +(\d+)\t/.exec(row) ?? [];
		return oid === void 0 || Number(size) > most ? null : this.#git.run([
			"cat-file",
			"blob",
			oid
		], { env });
	}
	#env(index) {
		return {
			GIT_INDEX_FILE: join(this.#place, `index${index}`),
			GIT_OBJECT_DIRECTORY: this.#place,
			GIT_ALTERNATE_OBJECT_DIRECTORIES: this.#git.objectDirectory()
		};
	}
	#write(commit, pathspecs, change = () => {}) {
		this.#indexes += 1;
		const env = this.#env(String(this.#indexes));
		this.#git.run(["read-tree", commit ?? "--empty"], { env });
		change(env);
		const left = pathspecs.length === 0 ? Buffer.of() : this.#git.run([
			"--glob-pathspecs",
			"ls-files",
			"-z",
			"--",
			...pathspecs
		], { env });
		if (left.length > 0) this.#git.run([
			"update-index",
			"-z",
			"--force-remove",
			"--stdin"
		], {
			env,
			input: left
		});
		return this.#git.run(["write-tree", "--missing-ok"], { env }).toString().trim();
	}
};
// src/read/change.ts
function listing(git, commit, directory) {
	return git.list(commit, directory).filter(({ path }) => isOwnFile(posix.basename(path))).map(({ path, oid }) => `${oid} ${path}`);
}
// src/read/captured.ts
function sinceCapture(recorded, search) {
	const captured = findCaptured(recorded, search);
	return captured === null ? null : changesSince(captured, search);
}
function changedAfterBundle(search) {
	const { git, trees, place, commit } = search;
	if (commit === null) return null;
	if (search.online) git.deepen(commit, search.base);
	const [last] = git.recentChanges(commit, place.own);
	if (last === void 0) return null;
	const parents = git.parents(last);
	const before = parents.find((parent) => canHave(parent, search));
	if (before === void 0 && parents.length > 0) return null;
	const same = (one, other) => listing(git, one, place.bundle).join("\0") === listing(git, other, place.bundle).join("\0");
	if (before !== void 0 && same(before, last)) return null;
	return changesSince({
		tree: trees.without(last, place.own),
		from: null
	}, search);
}
function findCaptured(recorded, search) {
	const { git, trees, place, commit, online, base } = search;
	const { tree } = recorded;
	if (tree === null) return null;
	const rebuilt = (from) => {
		try {
			return trees.changed(from, recorded.changes, place.own) === tree ? {
				tree,
				from
			} : null;
		} catch (error) {
			if (error instanceof GitError) return null;
			throw error;
		}
	};
	if (recorded.unlisted === 0 && (recorded.base === null ? recorded.head === null : canHave(recorded.base, search))) {
		const found = rebuilt(recorded.base);
		if (found !== null) return found;
	}
	const isIt = (name) => trees.without(name, place.own) === tree;
	if (recorded.head !== null && recorded.dirty !== true && canHave(recorded.head, search) && isIt(recorded.head)) return {
		tree,
		from: recorded.head
	};
	if (commit === null) return null;
	if (online) git.deepen(commit, base);
	return git.recentChanges(commit, place.own).find(isIt) === void 0 ? null : {
		tree,
		from: null
	};
}
function canHave(commit, { git, online }) {
	return online ? git.fetch(commit) : git.commit(commit) !== null;
}
function changesSince({ tree, from }, { trees, place, headTree, change }) {
	const here = change === null ? null : new Set(change.files.map(({ path }) => path));
	const there = from === null ? null : new Set(trees.differing(trees.without(from, place.own), tree).map(({ path }) => path));
	return trees.differing(tree, headTree).map((one) => {
		if (here === null) return {
			...one,
			side: null
		};
		return {
			...one,
			side: here.has(one.path) || there?.has(one.path) ? "capture" : "base"
		};
	});
}
// src/read/lockfile/bun.ts
function readBunLock(text) {
	const document = requireTable(parseJson(text, { comments: true }), null);
	const members = Object.values(tableOf(document.workspaces)).map(tableOf);
	const lists = [
		"dependencies",
		"devDependencies",
		"optionalDependencies",
		"peerDependencies"
	];
	const direct = new Set(members.flatMap((member) => lists.flatMap((list) => Object.keys(tableOf(member[list])))));
	const found = new PackageBuilder("npm");
	for (const [key, entry] of Object.entries(requireTable(document.packages ?? {}, "packages"))) {
		const parts = listOf$1(entry);
		const match = /^(@?[^@]+)@(.*)$/s.exec(textOf(parts[0]) ?? "");
		if (match === null) {
			found.skip(key);
			continue;
		}
		const [, name = "", reference = ""] = match;
		const local = /^(?:workspace|file|link|root):/.test(reference);
		const registry = !local && /^\d/.test(reference);
		found.add(name, registry ? reference : null, {
			source: local || registry ? null : placeOf(reference, /#([^#]+)$/.exec(reference)?.[1] ?? null),
			artefacts: registry ? artefactsOf$1(parts.slice(1).map(textOf).filter((one) => /^sha\d+-/.test(one ?? ""))) : [],
			conditional: true,
			local,
			direct: local ? null : direct.has(key),
			aliases: local ? [] : aliasesIn$1(key, name)
		});
	}
	return found.list();
}
function aliasesIn$1(key, name) {
	const called = /(?:@[^/]+\/)?[^/]+$/.exec(key)?.[0] ?? name;
	return called === name ? [] : [called];
}
// src/read/lockfile/cargo.ts
function readCargoLock(text) {
	const document = parseToml(text);
	const own = document.root === void 0 ? [] : [tableOf(document.root)];
	const listed = document.package === void 0 && own.length > 0 ? [] : requireList(document, "package").map(tableOf);
	const metadata = tableOf(document.metadata);
	const entries = [...own, ...listed];
	const direct = directNames$1(entries);
	const found = new PackageBuilder("cargo");
	for (const entry of entries) {
		const { name, version, source } = entry;
		if (typeof name !== "string" || typeof version !== "string") {
			found.skip(`a package without ${typeof name === "string" ? `version: ${name}` : "name"}`);
			continue;
		}
		const checksum = textOf(entry.checksum) ?? textOf(metadata[`checksum ${name} ${version} (${textOf(source)})`]);
		found.add(name, version, {
			source: sourceOf$3(textOf(source)),
			artefacts: artefactsOf$1([checksum === null ? null : `sha256:${checksum}`]),
			conditional: true,
			local: source === void 0,
			direct: source === void 0 ? null : direct.has(name) || direct.has(`${name} ${version}`)
		});
	}
	return found.list();
}
function sourceOf$3(source) {
	if (source === null || /^(?:registry|sparse)\+.*crates\.io-index\/?$/.test(source)) return null;
	return placeOf(source.replace(/^(?:registry|sparse)\+/, ""), /#([0-9a-f]+)$/.exec(source)?.[1] ?? null);
}
function directNames$1(entries) {
	const own = entries.filter((entry) => entry.source === void 0);
	return new Set(own.flatMap((entry) => listOf$1(entry.dependencies).map((one) => (textOf(one) ?? "").split(" ").slice(0, 2).join(" "))));
}
// src/read/lockfile/composer.ts
function readComposerLock(text) {
	const document = requireTable(parseJson(text), null);
	const found = new PackageBuilder("php");
	for (const key of ["packages", "packages-dev"]) {
		if (key === "packages-dev" && !document[key]) continue;
		for (const entry of requireList(document, key).map(tableOf)) {
			const { name, version } = entry;
			if (typeof name !== "string" || typeof version !== "string") {
				found.skip(`a package without ${typeof name === "string" ? `version: ${name}` : "name"}`);
				continue;
			}
			const dist = tableOf(entry.dist);
			const reference = textOf(tableOf(entry.source).reference) ?? textOf(dist.reference);
			const sum = textOf(dist.shasum) || null;
			found.add(name, version, {
				artefacts: artefactsOf$1([reference === null ? null : `commit:${reference}`, sum === null ? null : `sha1:${sum}`]),
				conditional: key === "packages-dev",
				local: dist.type === "path"
			});
		}
	}
	return found.list();
}
// src/read/lockfile/conda.ts
function readCondaLock(text) {
	const found = new PackageBuilder("conda");
	for (const entry of requireList(requireTable(parseYaml(text)[0], null), "package").map(tableOf)) {
		const { name, version, url, hash, platform } = entry;
		if (typeof name !== "string" || typeof version !== "string") {
			found.skip(`a package without ${typeof name === "string" ? `version: ${name}` : "name"}`);
			continue;
		}
		found.add(name, version, {
			artefacts: artefacts$3(url, platform, tableOf(hash)),
			conditional: true
		});
	}
	return found.list();
}
const CONDA_FILE = /^(.+)-([^-]+)-[^-]+\.(?:conda|tar\.bz2)$/;
function readPixiLock(text) {
	const found = new PackageBuilder("conda");
	for (const entry of requireList(requireTable(parseYaml(text)[0], null), "packages").map(tableOf)) {
		const conda = textOf(entry.conda) ?? (entry.kind === "conda" ? textOf(entry.url) : null);
		const pypi = textOf(entry.pypi);
		const place = conda ?? pypi ?? Object.values(entry).find((one) => typeof one === "string") ?? null;
		const named = CONDA_FILE.exec(fileOf(conda ?? "") ?? "");
		const name = textOf(entry.name) ?? named?.[1];
		const version = textOf(entry.version) ?? named?.[2] ?? null;
		if (name === void 0 || place === null) {
			found.skip(place ?? "a package without name");
			continue;
		}
		const git = place.startsWith("git+");
		const local = !git && !/^[a-z+]+:\/\//.test(place);
		found.add(name, version, {
			source: git ? placeOf(place) : null,
			artefacts: local ? [] : artefacts$3(place, null, entry),
			conditional: true,
			local
		});
	}
	return found.list();
}
function artefacts$3(url, platform, { sha256, md5 }) {
	const parts = typeof url === "string" ? placeOf(url).split("/").slice(-2) : [];
	const file = parts.length === 2 ? parts.join("/") : textOf(platform);
	const hash = typeof sha256 === "string" ? `sha256:${sha256}` : typeof md5 === "string" ? `md5:${md5}` : null;
	return hash === null ? [] : [{
		file,
		hash
	}];
}
// src/read/lockfile/deno.ts
function readDenoLock(text) {
	const document = requireTable(parseJson(text), null);
	if (typeof document.version !== "string") throw new DocumentError("it has no `version`");
	const inside = isTable(document.packages) ? document.packages : document;
	const npm = isTable(tableOf(inside.npm).packages) ? tableOf(tableOf(inside.npm).packages) : tableOf(inside.npm);
	const direct = directIds$1(document, tableOf(inside.specifiers));
	const found = new PackageBuilder("npm");
	addAll(found, npm, "", direct);
	addAll(found, tableOf(inside.jsr), "jsr:", direct);
	for (const [url, hash] of Object.entries(tableOf(document.remote))) if (typeof hash !== "string") found.skip(url);
	else found.add(url, null, {
		artefacts: artefactsOf$1([`sha256:${hash}`]),
		conditional: true
	});
	return found.list();
}
function addAll(found, entries, registry, direct) {
	for (const [key, entry] of Object.entries(entries)) {
		const match = /^(@?[^@]+)@([^_]+)/.exec(key);
		if (match === null || !isTable(entry)) {
			found.skip(key);
			continue;
		}
		const [, name = "", version = ""] = match;
		const integrity = textOf(entry.integrity);
		const hash = integrity !== null && registry === "jsr:" ? `sha256:${integrity}` : integrity;
		found.add(registry + name, version, {
			artefacts: artefactsOf$1([hash]),
			conditional: true,
			direct: direct?.has(`${registry}${name}@${version}`) ?? null
		});
	}
}
function directIds$1(document, specifiers) {
	const workspace = tableOf(document.workspace);
	if (document.workspace === void 0) return null;
	const wanted = [workspace, ...Object.values(tableOf(workspace.members)).map(tableOf)].flatMap((one) => [...listOf$1(one.dependencies), ...listOf$1(tableOf(one.packageJson).dependencies)]);
	return new Set(wanted.flatMap((specifier) => {
		const match = /^(npm|jsr):(@?[^@]+)/.exec(textOf(specifier) ?? "");
		const version = textOf(specifiers[textOf(specifier) ?? ""])?.replace(/_.*$/s, "").replace(/^.*@(?=\d)/, "");
		return match === null || version === void 0 ? [] : [`${match[1] === "jsr" ? "jsr:" : ""}${match[2]}@${version}`];
	}));
}
// src/read/lockfile/gemfile.ts
const SECTION = /^(GIT|PATH|GEM|PLUGIN SOURCE|PLATFORMS|DEPENDENCIES|CHECKSUMS|RUBY VERSION|BUNDLED WITH)$/;
const SOURCES = new Set([
	"GIT",
	"PATH",
	"GEM",
	"PLUGIN SOURCE"
]);
const SPEC = /^([^\s()]+) \(([^\s()-]+)(?:-[^\s()]+)?\)(?: (sha256=[0-9a-f]+))?$/;
function readGemfileLock(text) {
	const gems = [];
	const sums = new Map();
	const direct = new Set();
	const found = new PackageBuilder("ruby");
	let section = null;
	let place = {
		remote: "",
		revision: null
	};
	text.split(/\r?\n/).forEach((line, index) => {
		if (line.trim() === "") return;
		if (/^\S/.test(line)) {
			section = SECTION.test(line) ? line : null;
			place = {
				remote: "",
				revision: null
			};
			if (section === null) found.skip(line, index + 1);
			return;
		}
		const body = line.trim();
		if (section === "DEPENDENCIES") direct.add(body.replace(/[ !].*$/, ""));
		else if (section === "CHECKSUMS") {
			const [, name = "", version = "", sum] = SPEC.exec(body) ?? [];
			if (sum !== void 0) sums.set(`${name} ${version}`, [...sums.get(`${name} ${version}`) ?? [], sum.replace("=", ":")]);
		} else if (section !== null && SOURCES.has(section)) {
			const fact = /^ {2}(remote|revision): (.+)$/.exec(line);
			if (fact?.[1] === "remote") place.remote = fact[2] ?? "";
			if (fact?.[1] === "revision") place.revision = fact[2] ?? null;
			if (!/^ {4}\S/.test(line)) return;
			const [, name = "", version = ""] = SPEC.exec(body) ?? [];
			if (name === "") found.skip(body, index + 1);
			else gems.push({
				name,
				version,
				local: section === "PATH",
				source: section === "GIT" ? placeOf(place.remote, place.revision) : null
			});
		}
	});
	if (gems.length === 0 && !/^(?:GEM|PATH|GIT|DEPENDENCIES)$/m.test(text)) throw new DocumentError("it has no section of gems");
	for (const { name, version, local, source } of gems) found.add(name, version, {
		source,
		local,
		artefacts: artefactsOf$1(sums.get(`${name} ${version}`) ?? []),
		conditional: true,
		direct: local ? null : direct.has(name)
	});
	return found.list();
}
// src/read/lockfile/go.ts
const SUM = /^(\S+) (v\S+?)(\/go\.mod)? (h\d+:\S+)$/;
function readGoSum(text) {
	const found = new PackageBuilder("go");
	text.split(/\r?\n/).forEach((raw, index) => {
		if (raw.trim() === "") return;
		const [, name = "", version = "", modOnly, hash] = SUM.exec(raw.trim()) ?? [];
		if (hash === void 0) found.skip(raw.trim(), index + 1);
		else if (modOnly === void 0) found.add(name, version, {
			artefacts: artefactsOf$1([hash]),
			conditional: true
		});
	});
	return found.list();
}
function looksLikeGoSum(text) {
	const lines = text.slice(0, 2e5).split(/\r?\n/).filter((line) => line.trim() !== "").slice(0, 50);
	return lines.length > 0 && lines.every((line) => SUM.test(line.trim()));
}
const OTHER = /^(?:go|toolchain|godebug|exclude|retract|tool|ignore|module)$/;
function readGoMod(text) {
	const found = new PackageBuilder("go");
	const required = [];
	const replaced = new Map();
	let block = null;
	let named = false;
	text.split(/\r?\n/).forEach((raw, index) => {
		const body = raw.replace(/\/\/.*$/, "").trim();
		if (body === "") return;
		if (block !== null && body === ")") {
			block = null;
			return;
		}
		const opened = /^([a-z]+)\s*\($/.exec(body);
		if (block === null && opened !== null) {
			block = opened[1] ?? null;
			return;
		}
		const [word = "", ...more] = body.split(/\s+/).map((part) => part.replace(/^["`]|["`]$/g, ""));
		const directive = block ?? word;
		const words = block === null ? more : [word, ...more];
		named ||= directive === "module";
		if (directive === "require" && words.length === 2 && /^v\d/.test(words[1] ?? "")) required.push({
			name: words[0] ?? "",
			version: words[1] ?? "",
			direct: !/\/\/\s*indirect\b/.test(raw)
		});
		else if (directive === "replace" && words.includes("=>")) {
			const at = words.indexOf("=>");
			const [name = "", version = null] = words.slice(at + 1);
			replaced.set(words.slice(0, at).join(" "), {
				name,
				version
			});
		} else if (!OTHER.test(directive)) found.skip(raw.trim(), index + 1);
	});
	if (!named) throw new DocumentError("it has no `module` line");
	for (const { name, version, direct } of required) {
		const other = replaced.get(`${name} ${version}`) ?? replaced.get(name);
		const rest = {
			direct,
			conditional: true
		};
		if (other === void 0) found.add(name, version, rest);
		else found.add(other.version === null ? name : other.name, other.version, {
			...rest,
			local: other.version === null
		});
	}
	return found.list();
}
// src/read/lockfile/gradle.ts
const LINE = /^([^:=\s]+:[^:=\s]+):([^:=\s]+)=(\S*)$/;
function readGradleLock(text) {
	const found = new PackageBuilder("maven");
	text.split(/\r?\n/).forEach((raw, index) => {
		const line = raw.trim();
		if (line === "" || line.startsWith("#") || /^empty=/.test(line)) return;
		const [, name, version] = LINE.exec(line) ?? [];
		if (name === void 0 || version === void 0) found.skip(line, index + 1);
		else found.add(name, version, { conditional: true });
	});
	return found.list();
}
function looksLikeGradleLock(text) {
	const lines = text.slice(0, 2e5).split(/\r?\n/).map((line) => line.trim()).filter((line) => line !== "" && !line.startsWith("#")).slice(0, 50);
	return lines.length > 0 && lines.every((line) => LINE.test(line) || /^empty=/.test(line));
}
// src/read/lockfile/mix.ts
const HEX = /^"([^"]+)": \{:hex, :"?([^",]+)"?, "([^"]+)", "([0-9a-f]*)"(?:.*"([0-9a-f]{64})")?.*\},?$/;
const GIT = /^"([^"]+)": \{:git, "([^"]+)", "([0-9a-f]+)".*\},?$/;
function readMixLock(text) {
	if (!text.trimStart().startsWith("%{")) throw new DocumentError("it does not begin with `%{`", 1);
	if (!text.trimEnd().endsWith("}")) throw new DocumentError("it ends before its map does", text.split(/\r?\n/).length);
	const found = new PackageBuilder("hex");
	text.split(/\r?\n/).forEach((raw, index) => {
		const line = raw.trim();
		if (/^(?:%\{|\}|%\{\})?$/.test(line)) return;
		const [, , name, version, inner, outer] = HEX.exec(line) ?? [];
		if (name !== void 0 && version !== void 0) {
			found.add(name, version, {
				artefacts: artefactsOf$1([`sha256:${outer ?? inner}`]),
				conditional: true
			});
			return;
		}
		const [, key, url, commit] = GIT.exec(line) ?? [];
		if (key === void 0 || url === void 0) found.skip(line, index + 1);
		else found.add(key, null, {
			source: placeOf(url, commit ?? null),
			conditional: true
		});
	});
	return found.list();
}
// src/read/lockfile/npm.ts
function readPackageLock(text) {
	const { packages, dependencies, lockfileVersion } = requireTable(parseJson(text), null);
	if (packages === void 0 && dependencies === void 0 && lockfileVersion === void 0) throw new DocumentError("it has neither `packages` nor `dependencies`");
	if (packages !== void 0) return readFlat(requireTable(packages, "packages"));
	return readNested(requireTable(dependencies ?? {}, "dependencies"));
}
function readFlat(entries) {
	const found = new PackageBuilder("npm");
	const direct = directPaths(entries);
	for (const [path, entry] of Object.entries(entries)) {
		if (path === "" || isTable(entry) && entry.link === true) continue;
		if (!isReadable(entry)) {
			found.skip(path);
			continue;
		}
		const at = path.lastIndexOf("node_modules/");
		const folder = at === -1 ? path : path.slice(at + 13);
		const name = textOf(entry.name) ?? folder;
		const known = at !== -1 && entries[""] !== void 0;
		add(found, name, entry, {
			local: at === -1,
			direct: known ? direct.has(path) : null,
			aliases: at === -1 || name === folder ? [] : [folder]
		});
	}
	return found.list();
}
function directPaths(entries) {
	const paths = new Set();
	for (const [path, entry] of Object.entries(entries)) {
		if (path.includes("node_modules/")) continue;
		for (const name of [
			"dependencies",
			"devDependencies",
			"optionalDependencies",
			"peerDependencies"
		].flatMap((list) => Object.keys(tableOf(tableOf(entry)[list])))) {
			const own = `${path}/node_modules/${name}`;
			paths.add(path !== "" && Object.hasOwn(entries, own) ? own : `node_modules/${name}`);
		}
	}
	return paths;
}
function readNested(root) {
	const found = new PackageBuilder("npm");
	const open = [root];
	for (let level = open.pop(); level !== void 0; level = open.pop()) for (const [key, entry] of Object.entries(level)) {
		if (!isReadable(entry)) {
			found.skip(key);
			continue;
		}
		const alias = /^npm:(.+)@([^@]+)$/.exec(textOf(entry.version) ?? "");
		if (alias === null) add(found, key, entry);
		else add(found, alias[1] ?? key, {
			...entry,
			version: alias[2]
		}, { aliases: [key] });
		if (isTable(entry.dependencies)) open.push(entry.dependencies);
	}
	return found.list();
}
function add(found, name, entry, { local = false, direct = null, aliases = [] } = {}) {
	const version = textOf(entry.version);
	const elsewhere = [textOf(entry.resolved), version].find((url) => /^(?:(?:git|file|github|ssh)[+:]|[/\\])/.test(url ?? "")) ?? (version?.includes("://") ? version : tarball(textOf(entry.resolved)));
	const isLocal = local || /^(?:file:|[/\\])/.test(elsewhere ?? "");
	found.add(name, elsewhere !== null && elsewhere === version ? null : version, {
		source: elsewhere === null || isLocal ? null : withoutCredentials(elsewhere),
		artefacts: artefactsOf$1((textOf(entry.integrity) ?? "").trim().split(/\s+/)),
		conditional: [
			"dev",
			"optional",
			"devOptional",
			"peer",
			"inBundle",
			"bundled",
			"os",
			"cpu",
			"libc"
		].some((flag) => entry[flag] !== void 0 && entry[flag] !== false),
		local: isLocal,
		direct: isLocal ? null : direct,
		aliases
	});
}
function tarball(resolved) {
	return resolved !== null && /^https?:/.test(resolved) && !/\/(?:-|download)\//.test(resolved) ? resolved : null;
}
function isReadable(entry) {
	return isTable(entry) && (entry.version === void 0 || typeof entry.version === "string");
}
// src/read/lockfile/nuget.ts
function readNuGetLock(text) {
	const frameworks = Object.entries(requireTable(requireTable(parseJson(text), null).dependencies, "dependencies"));
	const found = new PackageBuilder("nuget");
	for (const [framework, entries] of frameworks) for (const [name, entry] of Object.entries(requireTable(entries, framework))) {
		const { type, resolved, contentHash } = isTable(entry) ? entry : {};
		const project = type === "Project";
		if (!project && typeof resolved !== "string") found.skip(name);
		else found.add(name, textOf(resolved), {
			artefacts: artefactsOf$1([typeof contentHash === "string" ? `sha512:${contentHash}` : null]),
			conditional: frameworks.length > 1,
			local: project,
			direct: project ? null : type === "Direct"
		});
	}
	return found.list();
}
// src/read/lockfile/pdm.ts
function readPdmLock(text) {
	const document = parseToml(text);
	const entries = document.package === void 0 ? [] : requireList(document, "package");
	const older = tableOf(tableOf(document.metadata).files);
	const found = new PackageBuilder("python");
	for (const entry of entries.map(tableOf)) {
		const { name, version } = entry;
		if (typeof name !== "string") {
			found.skip("a package without name");
			continue;
		}
		const place = textOf(entry.git) ?? textOf(entry.hg) ?? textOf(entry.svn) ?? textOf(entry.url);
		found.add(name, textOf(version), {
			source: place === null ? null : placeOf(place, textOf(entry.revision)),
			artefacts: artefacts$2(entry.files ?? older[`${name} ${textOf(version)}`]),
			conditional: entry.marker !== void 0 || !listOf$1(entry.groups).includes("default"),
			local: entry.path !== void 0
		});
	}
	return found.list();
}
function artefacts$2(files) {
	return listOf$1(files).map(tableOf).flatMap(({ file, url, hash }) => {
		if (typeof hash !== "string") return [];
		return [{
			file: textOf(file) ?? (typeof url === "string" ? fileOf(url) : null),
			hash
		}];
	});
}
// src/read/lockfile/pipfile.ts
function readPipfileLock(text) {
	const document = requireTable(parseJson(text), null);
	requireTable(document._meta, "_meta");
	const found = new PackageBuilder("python");
	for (const [group, packages] of Object.entries(document)) {
		if (group === "_meta") continue;
		for (const [name, entry] of Object.entries(requireTable(packages, group))) {
			const { version, git, ref, file, path, hashes, markers } = tableOf(entry);
			if (!isTable(entry) || version !== void 0 && typeof version !== "string") {
				found.skip(name);
				continue;
			}
			const local = path !== void 0 || typeof file === "string" && !file.includes("://");
			const place = local ? null : textOf(git) ?? textOf(file);
			const pin = textOf(version)?.replace(/^={2,3}/, "") ?? null;
			found.add(name, pin === "*" ? null : pin, {
				source: place === null ? null : placeOf(place, textOf(ref)),
				artefacts: artefactsOf$1(listOf$1(hashes).map(textOf)),
				conditional: group !== "default" || markers !== void 0,
				local
			});
		}
	}
	return found.list();
}
// src/read/lockfile/pnpm.ts
function readPnpmLock(text) {
	const document = requireTable(parseYaml(text).at(-1), null);
	const major = Number.parseInt(textOf(document.lockfileVersion) ?? "", 10);
	if (Number.isNaN(major)) throw new DocumentError("it has no `lockfileVersion`");
	const direct = directIds(document);
	const snapshots = tableOf(document.snapshots);
	const optional = new Set(Object.entries(snapshots).filter(([, one]) => tableOf(one).optional === "true").map(([key]) => withoutPeers(key, major)));
	const found = new PackageBuilder("npm");
	for (const [key, entry] of Object.entries(requireTable(document.packages ?? {}, "packages"))) {
		const read = isTable(entry) ? nameAndVersion(key, entry, major) : null;
		if (read === null || !isTable(entry)) {
			found.skip(key);
			continue;
		}
		const { name, version, place } = read;
		const resolution = tableOf(entry.resolution);
		const tarball = textOf(resolution.tarball);
		const repository = textOf(resolution.repo);
		const local = place.startsWith("file:") || resolution.type === "directory" || (tarball?.startsWith("file:") ?? false);
		const elsewhere = local ? null : repository ?? (place.includes("/") ? place : null);
		const flags = [entry.dev, entry.optional].includes("true") || [
			entry.os,
			entry.cpu,
			entry.libc
		].some((one) => one !== void 0);
		found.add(name, version, {
			source: elsewhere === null ? null : placeOf(tarball ?? elsewhere, textOf(resolution.commit)),
			artefacts: artefactsOf$1([textOf(resolution.integrity)]),
			conditional: flags || optional.has(key),
			local,
			direct: local ? null : direct.has(`${name}@${version ?? place}`),
			aliases: direct.get(`${name}@${version ?? place}`) ?? []
		});
	}
	return found.list();
}
function nameAndVersion(key, entry, major) {
	const bare = withoutPeers(key, major).replace(/^\//, "");
	const named = textOf(entry.name);
	const match = major < 6 ? /^(?:[^/@]*\.[^/]*\/)?((?:@[^/]+\/)?[^/]+)\/([^/]+)$/.exec(bare) : /^(?:[^@]*\.[^@]*\/)?(@?[^@/]+(?:\/[^@/]+)?)@(.+)$/.exec(bare);
	const name = named ?? match?.[1];
	if (name === void 0) return null;
	const place = named === null || match === null || match[1] === named ? match?.[2] ?? bare : bare;
	const isVersion = /^\d+\.\d+\.\d+\S*$/.test(place) && !place.includes("/");
	return {
		name,
		place: isVersion ? "" : place,
		version: textOf(entry.version) ?? (isVersion ? place : null)
	};
}
function withoutPeers(key, major) {
	if (major >= 6) return key.replace(/\(.*$/s, "");
	return key.replace(/(?<=\/\d[^/_]*)_.*$/, "");
}
function directIds(document) {
	const importers = document.importers === void 0 ? [document] : Object.values(tableOf(document.importers));
	const ids = new Map();
	for (const importer of importers.map(tableOf)) for (const list of [
		"dependencies",
		"devDependencies",
		"optionalDependencies"
	]) for (const [name, value] of Object.entries(tableOf(importer[list]))) {
		const version = (textOf(value) ?? textOf(tableOf(value).version) ?? "").replace(/[(_].*$/s, "").replace(/^\//, "");
		const alias = /^(@?[^@]+)@(\d.*)$/.exec(version) ?? /^((?:@[^/]+\/)?[^/@]+)\/(\d[^/]*)$/.exec(version);
		if (alias === null) ids.set(`${name}@${version}`, ids.get(`${name}@${version}`) ?? []);
		else ids.set(`${alias[1]}@${alias[2]}`, [...ids.get(`${alias[1]}@${alias[2]}`) ?? [], name]);
	}
	return ids;
}
// src/read/lockfile/poetry.ts
function readPoetryLock(text) {
	const document = parseToml(text);
	const entries = document.metadata === void 0 ? requireList(document, "package") : listOf$1(document.package);
	if (document.package !== void 0) requireList(document, "package");
	const metadata = tableOf(document.metadata);
	const older = new Map([...Object.entries(tableOf(metadata.files)), ...Object.entries(tableOf(metadata.hashes))]);
	const found = new PackageBuilder("python");
	for (const entry of entries.map(tableOf)) {
		const { name, version } = entry;
		if (typeof name !== "string" || typeof version !== "string") {
			found.skip(`a package without ${typeof name === "string" ? `version: ${name}` : "name"}`);
			continue;
		}
		const source = tableOf(entry.source);
		found.add(name, version, {
			source: sourceOf$2(source),
			artefacts: artefacts$1(entry.files ?? older.get(name)),
			conditional: !listOf$1(entry.groups).includes("main") || entry.optional === true || entry.markers !== void 0,
			local: source.type === "directory" || source.type === "file"
		});
	}
	return found.list();
}
function sourceOf$2({ type, url, resolved_reference }) {
	if (typeof url !== "string" || type === "legacy" || type === "directory" || type === "file") return null;
	return placeOf(url, textOf(resolved_reference));
}
function artefacts$1(files) {
	return listOf$1(files).flatMap((entry) => {
		const { file, hash } = typeof entry === "string" ? {
			file: null,
			hash: entry
		} : tableOf(entry);
		if (typeof hash !== "string") return [];
		return [{
			file: textOf(file),
			hash: hash.includes(":") ? hash : `sha256:${hash}`
		}];
	});
}
// src/read/lockfile/pub.ts
function readPubspecLock(text) {
	const found = new PackageBuilder("pub");
	for (const [name, entry] of Object.entries(requireTable(requireTable(parseYaml(text)[0], null).packages, "packages"))) {
		const { version, source, dependency, description } = tableOf(entry);
		if (!isTable(entry) || typeof version !== "string") {
			found.skip(name);
			continue;
		}
		const details = tableOf(description);
		const local = source === "path" || source === "sdk";
		const sum = textOf(details.sha256);
		found.add(name, version, {
			source: source === "git" ? placeOf(textOf(details.url) ?? "", textOf(details["resolved-ref"])) : null,
			artefacts: artefactsOf$1([sum === null ? null : `sha256:${sum}`]),
			conditional: dependency === "direct dev",
			local,
			direct: local ? null : /^"?direct /.test(textOf(dependency) ?? "")
		});
	}
	return found.list();
}
// src/read/lockfile/pylock.ts
function readPylock(text) {
	const found = new PackageBuilder("python");
	for (const entry of requireList(parseToml(text), "packages").map(tableOf)) {
		const name = textOf(entry.name);
		if (name === null) {
			found.skip("a package without name");
			continue;
		}
		const archive = tableOf(entry.archive);
		const vcs = tableOf(entry.vcs);
		const place = textOf(vcs.url) ?? textOf(vcs.path) ?? textOf(archive.url);
		found.add(name, textOf(entry.version), {
			source: place === null ? null : placeOf(place, textOf(vcs["commit-id"])),
			artefacts: [
				entry.sdist,
				archive,
				...listOf$1(entry.wheels)
			].flatMap((one) => artefactsIn(tableOf(one))),
			conditional: entry.marker !== void 0,
			local: entry.directory !== void 0 || entry.archive !== void 0 && typeof archive.url !== "string"
		});
	}
	return found.list();
}
function artefactsIn({ name, url, path, hashes }) {
	const place = textOf(url) ?? textOf(path);
	const file = textOf(name) ?? (place === null ? null : fileOf(place));
	return Object.entries(tableOf(hashes)).flatMap(([kind, digest]) => typeof digest === "string" ? [{
		file,
		hash: `${kind}:${digest}`
	}] : []);
}
// src/read/lockfile/swift.ts
function readPackageResolved(text) {
	const document = requireTable(parseJson(text), null);
	const holder = document.pins === void 0 ? tableOf(document.object) : document;
	const found = new PackageBuilder("swift");
	for (const pin of requireList(holder, "pins").map(tableOf)) {
		const state = tableOf(pin.state);
		const url = textOf(pin.location) ?? textOf(pin.repositoryURL);
		const name = textOf(pin.identity) ?? (url === null ? null : fileOf(url.replace(/\/+$/, ""))?.replace(/\.git$/, ""));
		const revision = textOf(state.revision);
		const version = textOf(state.version) ?? textOf(state.branch) ?? revision;
		if (!name || version === null) found.skip(textOf(pin.package) ?? url ?? "a pin without identity");
		else found.add(name, version, {
			artefacts: artefactsOf$1([revision === null ? null : `commit:${revision}`]),
			local: pin.kind === "localSourceControl" || pin.kind === "fileSystem"
		});
	}
	return found.list();
}
// src/read/lockfile/uv.ts
function readUvLock(text) {
	const document = parseToml(text);
	const entries = (document.package === void 0 ? [] : requireList(document, "package")).map(tableOf);
	const direct = directNames(entries);
	const always = neededAlways(entries);
	const found = new PackageBuilder("python");
	for (const entry of entries) {
		const name = textOf(entry.name);
		if (name === null) {
			found.skip("a package without name");
			continue;
		}
		const source = tableOf(entry.source);
		const local = isLocal(source);
		found.add(name, textOf(entry.version), {
			source: local ? null : sourceOf$1(source),
			artefacts: [entry.sdist, ...listOf$1(entry.wheels)].flatMap((one) => artefact(tableOf(one))),
			conditional: !always.has(name) || entry["resolution-markers"] !== void 0,
			local,
			direct: local ? null : direct.has(name)
		});
	}
	return found.list();
}
function isLocal(source) {
	return [
		"directory",
		"editable",
		"virtual",
		"path"
	].some((kind) => source[kind] !== void 0);
}
function sourceOf$1({ git, url }) {
	if (typeof git === "string") return placeOf(git, /#([0-9a-f]+)$/.exec(git)?.[1] ?? null);
	return typeof url === "string" ? placeOf(url) : null;
}
function artefact({ url, path, filename, hash }) {
	const place = textOf(url) ?? textOf(path);
	if (typeof hash !== "string") return [];
	return [{
		file: textOf(filename) ?? (place === null ? null : fileOf(place)),
		hash
	}];
}
function directNames(entries) {
	const names = new Set();
	for (const entry of entries) {
		if (!isLocal(tableOf(entry.source))) continue;
		const groups = [entry["optional-dependencies"], entry["dev-dependencies"]].flatMap((one) => Object.values(tableOf(one)));
		for (const dependency of [entry.dependencies, ...groups].flatMap(listOf$1)) {
			const name = textOf(tableOf(dependency).name);
			if (name !== null) names.add(name);
		}
	}
	return names;
}
function neededAlways(entries) {
	const byName = new Map(entries.map((entry) => [textOf(entry.name), entry]));
	const open = [...entries.filter(({ source }) => tableOf(source).editable === "." || tableOf(source).virtual === ".")];
	const names = new Set();
	for (let entry = open.pop(); entry !== void 0; entry = open.pop()) for (const { name, marker } of listOf$1(entry.dependencies).map(tableOf)) {
		if (typeof name !== "string" || marker !== void 0 || names.has(name)) continue;
		names.add(name);
		const next = byName.get(name);
		if (next !== void 0) open.push(next);
	}
	return names;
}
// src/read/lockfile/yarn.ts
const DESCRIPTOR = /^(@?[^@]+)@(.+)$/s;
function readYarnBerry(text) {
	const { __metadata, ...entries } = requireTable(parseYaml(text)[0], null);
	requireTable(__metadata, "__metadata");
	const direct = new Set(Object.values(entries).map(tableOf).filter((entry) => entry.linkType === "soft").flatMap((entry) => Object.entries(tableOf(entry.dependencies)).flatMap(([name, range]) => [`${name}@${textOf(range)}`, `${name}@npm:${textOf(range)}`])));
	const found = new PackageBuilder("npm");
	for (const [key, entry] of Object.entries(entries)) {
		const resolution = DESCRIPTOR.exec(textOf(tableOf(entry).resolution) ?? "");
		if (!isTable(entry) || resolution === null) {
			found.skip(key);
			continue;
		}
		const [, name = "", reference = ""] = resolution;
		const local = entry.linkType === "soft" || /^(?:workspace|link|portal|file):/.test(reference);
		const registry = /^(?:npm|patch|condition|virtual):/.test(reference);
		found.add(name, textOf(entry.version), {
			source: local || registry ? null : sourceOf(reference),
			artefacts: artefactsOf$1([checksum(textOf(entry.checksum))]),
			conditional: entry.conditions !== void 0 || reference.startsWith("condition:"),
			local,
			direct: local ? null : key.split(/,\s*/).some((descriptor) => direct.has(descriptor)),
			aliases: aliasesIn(key, name)
		});
	}
	return found.list();
}
function aliasesIn(key, name) {
	const names = key.split(/,\s*/).map((descriptor) => DESCRIPTOR.exec(unquoted(descriptor))?.[1] ?? name);
	return [...new Set(names)].filter((one) => one !== name);
}
function sourceOf(reference) {
	return placeOf(reference, /[#&](?:commit=)?([0-9a-f]{7,64})$/.exec(reference)?.[1] ?? null);
}
function checksum(text) {
	if (text === null) return null;
	const [version, digest] = text.includes("/") ? text.split("/", 2) : ["", text];
	return `cache${version}:${digest}`;
}
function readYarnClassic(text) {
	const found = new PackageBuilder("npm");
	let blocks = 0;
	for (const { head, line, fields } of blocksOf(text)) {
		blocks++;
		const descriptor = DESCRIPTOR.exec(unquoted(head.split(/,\s*/, 1)[0] ?? ""));
		const version = fields.version;
		if (descriptor === null || version === void 0) {
			found.skip(head, line);
			continue;
		}
		const [, key = "", range = ""] = descriptor;
		const alias = /^npm:(@?[^@]+)(?:@.*)?$/.exec(range);
		const resolved = fields.resolved ?? null;
		const local = /^(?:file|link):/.test(range) || (resolved?.startsWith("file:") ?? false);
		const elsewhere = !local && resolved !== null && /^(?:git|ssh)[+:]|\.git(?:#|$)|codeload\./.test(resolved);
		const [url = "", fragment] = resolved?.split("#", 2) ?? [];
		found.add(alias?.[1] ?? key, version, {
			source: elsewhere ? placeOf(url, fragment ?? null) : null,
			artefacts: artefactsOf$1([...fields.integrity?.split(/\s+/) ?? [], !elsewhere && fragment !== void 0 ? `sha1:${fragment}` : null]),
			local,
			aliases: aliasesIn(head, alias?.[1] ?? key),
			conditional: true
		});
	}
	if (blocks === 0 && !/^# yarn lockfile v1$/m.test(text)) throw new DocumentError("it has no entries");
	return found.list();
}
function* blocksOf(text) {
	let block = null;
	const lines = text.split(/\r?\n/);
	for (const [index, line] of lines.entries()) {
		if (line.trim() === "" || line.startsWith("#")) continue;
		const field = /^ {2}([a-z]+) (.+)$/.exec(line);
		if (/^\S/.test(line)) {
			if (block !== null) yield block;
			if (!line.endsWith(":")) throw new DocumentError("it has a line that is no entry", index + 1);
			block = {
				head: line.slice(0, -1),
				line: index + 1,
				fields: {}
			};
		} else if (block !== null && field?.[1] !== void 0) {
			if (Object.hasOwn(block.fields, field[1])) throw new DocumentError(`it has ${field[1]} twice in one entry`, index + 1);
			block.fields[field[1]] = unquoted(field[2] ?? "");
		} else if (block === null) throw new DocumentError("it has a line outside any entry", index + 1);
	}
	if (block !== null) yield block;
}
function unquoted(text) {
	return text.replace(/^"|"$/g, "");
}
// src/read/lockfile/formats.ts
const json = (...marks) => (text) => /^\s*\{/.test(text) && marks.every((mark) => mark.test(text));
const all = (...marks) => (text) => marks.every((mark) => mark.test(text));
const PACKAGE = /^\[\[package\]\]\s*$/m;
const LOCKFILE_FORMATS = [
	{
		id: "poetry.lock",
		ecosystem: "python",
		names: ["poetry.lock"],
		sniff: all(/^\[metadata\]\s*$/m, /^(?:content-hash|python-versions) = /m),
		read: readPoetryLock,
		install: "poetry sync"
	},
	{
		id: "uv.lock",
		ecosystem: "python",
		names: ["uv.lock"],
		pattern: /\.py\.lock$/,
		sniff: all(/^version = \d+\s*$/m, /^(?:requires-python = |source = \{ )/m),
		read: readUvLock,
		install: "uv sync --locked"
	},
	{
		id: "pylock.toml",
		ecosystem: "python",
		names: ["pylock.toml"],
		pattern: /^pylock\.[^.]+\.toml$/,
		sniff: all(/^lock-version = /m, /^created-by = |^\[\[packages\]\]\s*$/m),
		read: readPylock,
		install: "uv pip sync {}"
	},
	{
		id: "pdm.lock",
		ecosystem: "python",
		names: ["pdm.lock"],
		sniff: all(/^(?:lock_version = |# This file is @generated by PDM)/m, /^\[metadata\]\s*$/m),
		read: readPdmLock,
		install: "pdm sync --clean"
	},
	{
		id: "Pipfile.lock",
		ecosystem: "python",
		names: ["Pipfile.lock"],
		sniff: json(/"_meta"\s*:\s*\{/, /"pipfile-spec"/),
		read: readPipfileLock,
		install: "pipenv sync --dev"
	},
	{
		id: "conda-lock.yml",
		ecosystem: "conda",
		names: ["conda-lock.yml"],
		pattern: /^conda-lock\.yaml$/,
		sniff: all(/^package:\s*$/m, /^\s*manager: (?:conda|pip)\s*$/m),
		read: readCondaLock,
		install: "conda-lock install {}"
	},
	{
		id: "pixi.lock",
		ecosystem: "conda",
		names: ["pixi.lock"],
		sniff: all(/^version: \d+\s*$/m, /^environments:\s*$/m, /^packages:/m),
		read: readPixiLock,
		install: "pixi install --locked"
	},
	{
		id: "requirements",
		ecosystem: "python",
		names: ["requirements.lock"],
		pattern: /^requirements(?:[-_.][\w.-]+)?\.(?:txt|lock)$/,
		sniff: looksLikeRequirements,
		read: readRequirements,
		install: "uv pip sync {}"
	},
	{
		id: "package-lock.json",
		ecosystem: "npm",
		names: ["npm-shrinkwrap.json", "package-lock.json"],
		pattern: /^\.package-lock\.json$/,
		sniff: (text) => json(/"lockfileVersion"\s*:\s*\d/)(text) && !/"workspaces"\s*:\s*\{\s*""/.test(text),
		read: readPackageLock,
		install: "npm ci"
	},
	{
		id: "pnpm-lock.yaml",
		ecosystem: "npm",
		names: ["pnpm-lock.yaml"],
		sniff: all(/^lockfileVersion: '?\d/m),
		read: readPnpmLock,
		install: "pnpm install --frozen-lockfile"
	},
	{
		id: "yarn.lock (Yarn 2 and later)",
		ecosystem: "npm",
		names: ["yarn.lock"],
		sniff: all(/^__metadata:\s*$/m),
		read: readYarnBerry,
		install: "yarn install --immutable"
	},
	{
		id: "yarn.lock (Yarn 1)",
		ecosystem: "npm",
		names: ["yarn.lock"],
		sniff: all(/^# yarn lockfile v1\s*$/m),
		read: readYarnClassic,
		install: "yarn install --frozen-lockfile"
	},
	{
		id: "bun.lock",
		ecosystem: "npm",
		names: ["bun.lock"],
		sniff: json(/"lockfileVersion"\s*:\s*\d/, /"workspaces"\s*:\s*\{\s*""/),
		read: readBunLock,
		install: "bun install --frozen-lockfile"
	},
	{
		id: "deno.lock",
		ecosystem: "npm",
		names: ["deno.lock"],
		sniff: json(/"version"\s*:\s*"\d"/, /"(?:specifiers|jsr|remote|npm|workspace)"\s*:\s*\{/),
		read: readDenoLock,
		install: "deno install --frozen"
	},
	{
		id: "go.mod",
		ecosystem: "go",
		names: ["go.mod"],
		sniff: (text) => /^module\s+\S/m.test(text) && /^(?:go \d|require\b)/m.test(text),
		read: readGoMod,
		install: "go mod download"
	},
	{
		id: "go.sum",
		ecosystem: "go",
		names: ["go.sum"],
		sniff: looksLikeGoSum,
		read: readGoSum,
		install: "go mod download",
		weak: "it lists hashes of all versions considered, not those that were chosen"
	},
	{
		id: "Cargo.lock",
		ecosystem: "cargo",
		names: ["Cargo.lock"],
		sniff: (text) => PACKAGE.test(text) && /^(?:source = "(?:registry|git|sparse)\+|checksum = "|# It is not intended for manual editing|"checksum )/m.test(text),
		read: readCargoLock,
		install: "cargo build --locked"
	},
	{
		id: "gradle.lockfile",
		ecosystem: "maven",
		names: ["gradle.lockfile"],
		pattern: /^buildscript-gradle\.lockfile$/,
		sniff: looksLikeGradleLock,
		read: readGradleLock,
		install: "gradle build"
	},
	{
		id: "Gemfile.lock",
		ecosystem: "ruby",
		names: ["Gemfile.lock", "gems.locked"],
		sniff: all(/^(?:GEM|PATH|GIT)\s*$/m, /^DEPENDENCIES\s*$/m),
		read: readGemfileLock,
		install: "BUNDLE_FROZEN=true bundle install"
	},
	{
		id: "packages.lock.json",
		ecosystem: "nuget",
		names: ["packages.lock.json"],
		pattern: /^packages\..+\.lock\.json$/,
		sniff: json(/"version"\s*:\s*\d/, /"dependencies"\s*:\s*\{/, /"type"\s*:\s*"(?:Direct|Transitive|CentralTransitive|Project)"|"(?:net|\.NET)[^"]*"\s*:\s*\{\s*\}/),
		read: readNuGetLock,
		install: "dotnet restore --locked-mode"
	},
	{
		id: "composer.lock",
		ecosystem: "php",
		names: ["composer.lock"],
		sniff: json(/"content-hash"\s*:/, /"packages"\s*:\s*\[/),
		read: readComposerLock,
		install: "composer install"
	},
	{
		id: "mix.lock",
		ecosystem: "hex",
		names: ["mix.lock"],
		sniff: all(/^\s*%\{/),
		read: readMixLock,
		install: "mix deps.get --check-locked"
	},
	{
		id: "Package.resolved",
		ecosystem: "swift",
		names: ["Package.resolved"],
		sniff: json(/"pins"\s*:\s*\[/),
		read: readPackageResolved,
		install: "swift package resolve --force-resolved-versions"
	},
	{
		id: "pubspec.lock",
		ecosystem: "pub",
		names: ["pubspec.lock"],
		sniff: all(/^packages:/m, /^sdks:\s*$/m),
		read: readPubspecLock,
		install: "dart pub get --enforce-lockfile"
	}
];
// src/read/lockfile/find.ts
const LOCKFILE_NAMES = [...new Set(LOCKFILE_FORMATS.flatMap(({ names }) => names)), "requirements.txt"];
function formatsByName(path) {
	const name = path.slice(path.lastIndexOf("/") + 1);
	return LOCKFILE_FORMATS.filter(({ names, pattern }) => names.includes(name) || pattern?.test(name));
}
function lockfilePaths(recorded) {
	const paths = recorded.flatMap((path) => {
		const parts = (path ?? "").slice(0, 500).split("/").filter((part) => part !== "" && part !== ".");
		return path !== null && !path.startsWith("/") && !parts.includes("..") && !/[\0\\]/.test(path) && formatsByName(path).length > 0 ? [parts.join("/")] : [];
	});
	return [...new Set(paths)];
}
function formatByContent(text) {
	return LOCKFILE_FORMATS.find((format) => format.sniff(text)) ?? null;
}
function installCommandOf({ format, list }, path) {
	const install = format?.id === "requirements" && (path.endsWith(".txt") || list?.packages.some((one) => !isPinned(one))) ? "python -m pip install -r {}" : format?.install ?? null;
	if (install === null || !/^[\w.][\w./-]*$/.test(path) || path.split("/").includes("..")) return null;
	if (install.includes("{}")) return install.replace("{}", path);
	const folder = posix.dirname(path);
	return folder === "." ? install : `cd ${folder} && ${install}`;
}
// src/read/group.ts
function groupBy(items, key) {
	const groups = new Map();
	for (const item of items) {
		const of = key(item);
		const group = groups.get(of);
		if (group === void 0) groups.set(of, [item]);
		else group.push(item);
	}
	return groups;
}
// src/read/other-bundles.ts
const RUN_FILE = 65536;
function withoutOtherBundles(changes, tree, trees) {
	const bundles = [...groupBy(changes, ({ path }) => posix.dirname(path))].filter(([directory, files]) => {
		if (!files.every(({ path }) => isOwnFile(posix.basename(path)))) return false;
		const run = trees.file(tree, posix.join(directory, "run.txt"), RUN_FILE);
		return run !== null && /^schema=2\r?$/m.test(run.toString("latin1"));
	}).map(([directory]) => directory);
	const own = new Set(bundles);
	return {
		source: changes.filter(({ path }) => !own.has(posix.dirname(path))),
		bundles
	};
}
// src/read/place.ts
var PlaceError = class extends Error {};
function placeIn(git, place) {
	const prefix = relative(realpathSync(git.top), realpathSync(place.directory)).split(sep).join("/");
	const inside = (path) => posix.normalize(posix.join(prefix, path)).replace(/\/+$/, "");
	const bundle = inside(place.evidence);
	if (bundle.startsWith("../") || bundle === ".." || posix.isAbsolute(place.evidence)) throw new PlaceError(`The bundle's directory, ${place.evidence}, is outside the repository. Name one inside it, relative to the working directory.`);
	const recording = place.recording === void 0 ? null : relative(realpathSync(git.top), resolve(realpathSync(place.directory), place.recording));
	const here = (place.lockfiles.length > 0 ? place.lockfiles : LOCKFILE_NAMES).map(inside);
	return {
		bundle,
		own: ownFiles(bundle),
		recorded: recording === null || recording.startsWith("..") ? [] : ownFiles(recording.split(sep).join("/")),
		lockfiles: place.lockfiles.length > 0 ? here : [...new Set([...here, ...LOCKFILE_NAMES])]
	};
}
function ownFiles(bundle) {
	const prefix = bundle === "." || bundle === "" ? "" : `${literalGlob(bundle)}/`;
	return OWN_FILES.map((file) => prefix + file);
}
// src/read/review.ts
const FETCH_REMEDY = "give `actions/checkout` the input `fetch-depth: 0`, or the job `permissions: contents: read`";
// src/read/subject.ts
function unreadableSubject(why) {
	const limit = {
		what: `the bundle could not be read: ${why}`,
		remedy: "the conclusion is CI's all the same"
	};
	return {
		bundle: absent("evidence"),
		review: {
			...NOTHING_KNOWN,
			limits: [limit]
		}
	};
}
async function readWorkingTree(place) {
	const bundle = await readBundleDirectory(resolve(place.directory, place.evidence), place.evidence);
	const opened = Git.open(place.directory);
	const names = place.lockfiles.length > 0 ? place.lockfiles : LOCKFILE_NAMES;
	if (opened.git === null) {
		const limits = [{
			what: `the source was not compared: ${opened.why}`,
			remedy: "run this inside a git repository"
		}];
		const lockfiles = await masked(workingLockfiles(place.directory, names));
		return {
			bundle,
			review: {
				...NOTHING_KNOWN,
				under: "working tree",
				lockfiles,
				limits
			}
		};
	}
	const { git } = opened;
	const paths = placeIn(git, place);
	const trees = new Trees(git);
	try {
		const commit = git.commit("HEAD");
		const headTree = trees.workingTree([...paths.own, ...paths.recorded]);
		const lockfiles = withRecorded(paths.lockfiles, bundle);
		const found = await masked(workingLockfiles(git.top, lockfiles));
		const search = {
			git,
			trees,
			place: paths,
			commit,
			headTree,
			base: null,
			change: null,
			online: false
		};
		const review = {
			...NOTHING_KNOWN,
			under: "working tree",
			headSha: commit,
			headTree,
			checkoutTree: headTree,
			lockfiles: found,
			ignoredLockfiles: git.ignored(lockfiles),
			...comparedWithCapture(bundle, search, headTree),
			limits: missingLockfiles(place, paths.lockfiles, found)
		};
		return {
			bundle: {
				...bundle,
				name: paths.bundle
			},
			review
		};
	} finally {
		trees.close();
	}
}
function comparedWithCapture(bundle, search, checkoutTree) {
	const { evidence } = bundle;
	const unknown = {
		sinceCapture: null,
		otherBundles: [],
		afterBundle: null
	};
	if (evidence === null || search === null) return unknown;
	const recorded = evidence.run?.source ?? null;
	if (recorded === null || recorded.tree === null) return {
		...unknown,
		afterBundle: changedAfterBundle(search)
	};
	if (recorded.tree === search.headTree || recorded.tree === checkoutTree) return unknown;
	const changes = sinceCapture(recorded, search);
	if (changes === null) return unknown;
	const { source, bundles } = withoutOtherBundles(changes, search.headTree, search.trees);
	return {
		...unknown,
		sinceCapture: source,
		otherBundles: bundles
	};
}
const NOTHING_KNOWN = {
	under: "commit",
	headSha: null,
	headTree: null,
	checkoutTree: null,
	base: null,
	merged: null,
	change: null,
	lockfiles: [],
	ignoredLockfiles: [],
	sinceCapture: null,
	otherBundles: [],
	afterBundle: null,
	claim: null,
	limits: []
};
function absent(name) {
	return {
		name,
		evidence: null,
		absent: "not read",
		problems: []
	};
}
async function masked(lockfiles) {
	const { contents } = await maskSecrets(new Map(lockfiles.map(({ path, bytes }) => [path, bytes])));
	return lockfiles.map((lockfile) => ({
		...lockfile,
		bytes: contents.get(lockfile.path) ?? lockfile.bytes
	}));
}
function missingLockfiles(place, named, found) {
	return place.lockfiles.filter((_, index) => !found.some(({ path }) => path === named[index])).map((name) => ({
		what: `there is no file ${name}, which was named as a lockfile: it was not compared`,
		remedy: "name one that is there, relative to the working directory, or leave it to be found by its name"
	}));
}
function withRecorded(paths, bundle) {
	return [...new Set([...paths, ...lockfilePaths(bundle.evidence?.locks.map(({ path }) => path) ?? [])])];
}
function workingLockfiles(top, paths) {
	return paths.flatMap((path) => {
		const stat = lstatSync(resolve(top, path), { throwIfNoEntry: false });
		return stat?.isFile() && stat.size <= 33554432 ? [{
			path,
			bytes: readFileSync(resolve(top, path)),
			changedHere: null
		}] : [];
	});
}
// node_modules/@actions/io/lib/io-util.js
var __awaiter$3 = function(thisArg, _arguments, P, generator) {
	function adopt(value) {
		return value instanceof P ? value : new P(function(resolve) {
			resolve(value);
		});
	}
	return new (P || (P = Promise))(function(resolve, reject) {
		function fulfilled(value) {
			try {
				step(generator.next(value));
			} catch (e) {
				reject(e);
			}
		}
		function rejected(value) {
			try {
				step(generator["throw"](value));
			} catch (e) {
				reject(e);
			}
		}
		function step(result) {
			result.done ? resolve(result.value) : adopt(result.value).then(fulfilled, rejected);
		}
		step((generator = generator.apply(thisArg, _arguments || [])).next());
	});
};
const { chmod, copyFile, lstat, mkdir, open, readdir, rename, rm, rmdir, stat, symlink, unlink } = fs.promises;
const IS_WINDOWS$1 = process.platform === "win32";
fs.constants.O_RDONLY;
function exists(fsPath) {
	return __awaiter$3(this, void 0, void 0, function* () {
		try {
			yield stat(fsPath);
		} catch (err) {
			if (err.code === "ENOENT") return false;
			throw err;
		}
		return true;
	});
}
function isRooted(p) {
	p = normalizeSeparators(p);
	if (!p) throw new Error("isRooted() parameter \"p\" cannot be empty");
	if (IS_WINDOWS$1) return p.startsWith("\\") || /^[A-Z]:/i.test(p);
	return p.startsWith("/");
}
function tryGetExecutablePath(filePath, extensions) {
	return __awaiter$3(this, void 0, void 0, function* () {
		let stats = void 0;
		try {
			stats = yield stat(filePath);
		} catch (err) {
			if (err.code !== "ENOENT") console.log(`Unexpected error attempting to determine if executable file exists '${filePath}': ${err}`);
		}
		if (stats && stats.isFile()) {
			if (IS_WINDOWS$1) {
				const upperExt = path.extname(filePath).toUpperCase();
				if (extensions.some((validExt) => validExt.toUpperCase() === upperExt)) return filePath;
			} else if (isUnixExecutable(stats)) return filePath;
		}
		const originalFilePath = filePath;
		for (const extension of extensions) {
			filePath = originalFilePath + extension;
			stats = void 0;
			try {
				stats = yield stat(filePath);
			} catch (err) {
				if (err.code !== "ENOENT") console.log(`Unexpected error attempting to determine if executable file exists '${filePath}': ${err}`);
			}
			if (stats && stats.isFile()) {
				if (IS_WINDOWS$1) {
					try {
						const directory = path.dirname(filePath);
						const upperName = path.basename(filePath).toUpperCase();
						for (const actualName of yield readdir(directory)) if (upperName === actualName.toUpperCase()) {
							filePath = path.join(directory, actualName);
							break;
						}
					} catch (err) {
						console.log(`Unexpected error attempting to determine the actual case of the file '${filePath}': ${err}`);
					}
					return filePath;
				} else if (isUnixExecutable(stats)) return filePath;
			}
		}
		return "";
	});
}
function normalizeSeparators(p) {
	p = p || "";
	if (IS_WINDOWS$1) {
		p = p.replace(/\//g, "\\");
		return p.replace(/\\\\+/g, "\\");
	}
	return p.replace(/\/\/+/g, "/");
}
function isUnixExecutable(stats) {
	return (stats.mode & 1) > 0 || (stats.mode & 8) > 0 && process.getgid !== void 0 && stats.gid === process.getgid() || (stats.mode & 64) > 0 && process.getuid !== void 0 && stats.uid === process.getuid();
}
// node_modules/@actions/io/lib/io.js
var __awaiter$2 = function(thisArg, _arguments, P, generator) {
	function adopt(value) {
		return value instanceof P ? value : new P(function(resolve) {
			resolve(value);
		});
	}
	return new (P || (P = Promise))(function(resolve, reject) {
		function fulfilled(value) {
			try {
				step(generator.next(value));
			} catch (e) {
				reject(e);
			}
		}
		function rejected(value) {
			try {
				step(generator["throw"](value));
			} catch (e) {
				reject(e);
			}
		}
		function step(result) {
			result.done ? resolve(result.value) : adopt(result.value).then(fulfilled, rejected);
		}
		step((generator = generator.apply(thisArg, _arguments || [])).next());
	});
};
function which(tool, check) {
	return __awaiter$2(this, void 0, void 0, function* () {
		if (!tool) throw new Error("parameter 'tool' is required");
		if (check) {
			const result = yield which(tool, false);
			if (!result) {
				if (IS_WINDOWS$1) throw new Error(`Unable to locate executable file: ${tool}. Please verify either the file path exists or the file can be found within a directory specified by the PATH environment variable. Also verify the file has a valid extension for an executable file.`);
				else throw new Error(`Unable to locate executable file: ${tool}. Please verify either the file path exists or the file can be found within a directory specified by the PATH environment variable. Also check the file mode to verify the file is executable.`);
			}
			return result;
		}
		const matches = yield findInPath(tool);
		if (matches && matches.length > 0) return matches[0];
		return "";
	});
}
function findInPath(tool) {
	return __awaiter$2(this, void 0, void 0, function* () {
		if (!tool) throw new Error("parameter 'tool' is required");
		const extensions = [];
		if (IS_WINDOWS$1 && process.env["PATHEXT"]) {
			for (const extension of process.env["PATHEXT"].split(path.delimiter)) if (extension) extensions.push(extension);
		}
		if (isRooted(tool)) {
			const filePath = yield tryGetExecutablePath(tool, extensions);
			if (filePath) return [filePath];
			return [];
		}
		if (tool.includes(path.sep)) return [];
		const directories = [];
		if (process.env.PATH) {
			for (const p of process.env.PATH.split(path.delimiter)) if (p) directories.push(p);
		}
		const matches = [];
		for (const directory of directories) {
			const filePath = yield tryGetExecutablePath(path.join(directory, tool), extensions);
			if (filePath) matches.push(filePath);
		}
		return matches;
	});
}
// node_modules/@actions/exec/lib/toolrunner.js
var __awaiter$1 = function(thisArg, _arguments, P, generator) {
	function adopt(value) {
		return value instanceof P ? value : new P(function(resolve) {
			resolve(value);
		});
	}
	return new (P || (P = Promise))(function(resolve, reject) {
		function fulfilled(value) {
			try {
				step(generator.next(value));
			} catch (e) {
				reject(e);
			}
		}
		function rejected(value) {
			try {
				step(generator["throw"](value));
			} catch (e) {
				reject(e);
			}
		}
		function step(result) {
			result.done ? resolve(result.value) : adopt(result.value).then(fulfilled, rejected);
		}
		step((generator = generator.apply(thisArg, _arguments || [])).next());
	});
};
const IS_WINDOWS = process.platform === "win32";
var ToolRunner = class extends events.EventEmitter {
	constructor(toolPath, args, options) {
		super();
		if (!toolPath) throw new Error("Parameter 'toolPath' cannot be null or empty.");
		this.toolPath = toolPath;
		this.args = args || [];
		this.options = options || {};
	}
	_debug(message) {
		if (this.options.listeners && this.options.listeners.debug) this.options.listeners.debug(message);
	}
	_getCommandString(options, noPrefix) {
		const toolPath = this._getSpawnFileName();
		const args = this._getSpawnArgs(options);
		let cmd = noPrefix ? "" : "[command]";
		if (IS_WINDOWS) {
			if (this._isCmdFile()) {
				cmd += toolPath;
				for (const a of args) cmd += ` ${a}`;
			} else if (options.windowsVerbatimArguments) {
				cmd += `"${toolPath}"`;
				for (const a of args) cmd += ` ${a}`;
			} else {
				cmd += this._windowsQuoteCmdArg(toolPath);
				for (const a of args) cmd += ` ${this._windowsQuoteCmdArg(a)}`;
			}
		} else {
			cmd += toolPath;
			for (const a of args) cmd += ` ${a}`;
		}
		return cmd;
	}
	_processLineBuffer(data, strBuffer, onLine) {
		try {
			let s = strBuffer + data.toString();
			let n = s.indexOf(os.EOL);
			while (n > -1) {
				onLine(s.substring(0, n));
				s = s.substring(n + os.EOL.length);
				n = s.indexOf(os.EOL);
			}
			return s;
		} catch (err) {
			this._debug(`error processing line. Failed with error ${err}`);
			return "";
		}
	}
	_getSpawnFileName() {
		if (IS_WINDOWS) {
			if (this._isCmdFile()) return process.env["COMSPEC"] || "cmd.exe";
		}
		return this.toolPath;
	}
	_getSpawnArgs(options) {
		if (IS_WINDOWS) {
			if (this._isCmdFile()) {
				let argline = `/D /S /C "${this._windowsQuoteCmdArg(this.toolPath)}`;
				for (const a of this.args) {
					argline += " ";
					argline += options.windowsVerbatimArguments ? a : this._windowsQuoteCmdArg(a);
				}
				argline += "\"";
				return [argline];
			}
		}
		return this.args;
	}
	_endsWith(str, end) {
		return str.endsWith(end);
	}
	_isCmdFile() {
		const upperToolPath = this.toolPath.toUpperCase();
		return this._endsWith(upperToolPath, ".CMD") || this._endsWith(upperToolPath, ".BAT");
	}
	_windowsQuoteCmdArg(arg) {
		if (!this._isCmdFile()) return this._uvQuoteCmdArg(arg);
		if (!arg) return "\"\"";
		const cmdSpecialChars = [
			" ",
			"	",
			"&",
			"(",
			")",
			"[",
			"]",
			"{",
			"}",
			"^",
			"=",
			";",
			"!",
			"'",
			"+",
			",",
			"`",
			"~",
			"|",
			"<",
			">",
			"\""
		];
		let needsQuotes = false;
		for (const char of arg) if (cmdSpecialChars.some((x) => x === char)) {
			needsQuotes = true;
			break;
		}
		if (!needsQuotes) return arg;
		let reverse = "\"";
		let quoteHit = true;
		for (let i = arg.length; i > 0; i--) {
			reverse += arg[i - 1];
			if (quoteHit && arg[i - 1] === "\\") reverse += "\\";
			else if (arg[i - 1] === "\"") {
				quoteHit = true;
				reverse += "\"";
			} else quoteHit = false;
		}
		reverse += "\"";
		return reverse.split("").reverse().join("");
	}
	_uvQuoteCmdArg(arg) {
		if (!arg) return "\"\"";
		if (!arg.includes(" ") && !arg.includes("	") && !arg.includes("\"")) return arg;
		if (!arg.includes("\"") && !arg.includes("\\")) return `"${arg}"`;
		let reverse = "\"";
		let quoteHit = true;
		for (let i = arg.length; i > 0; i--) {
			reverse += arg[i - 1];
			if (quoteHit && arg[i - 1] === "\\") reverse += "\\";
			else if (arg[i - 1] === "\"") {
				quoteHit = true;
				reverse += "\\";
			} else quoteHit = false;
		}
		reverse += "\"";
		return reverse.split("").reverse().join("");
	}
	_cloneExecOptions(options) {
		options = options || {};
		const result = {
			cwd: options.cwd || process.cwd(),
			env: options.env || process.env,
			silent: options.silent || false,
			windowsVerbatimArguments: options.windowsVerbatimArguments || false,
			failOnStdErr: options.failOnStdErr || false,
			ignoreReturnCode: options.ignoreReturnCode || false,
			delay: options.delay || 1e4
		};
		result.outStream = options.outStream || process.stdout;
		result.errStream = options.errStream || process.stderr;
		return result;
	}
	_getSpawnOptions(options, toolPath) {
		options = options || {};
		const result = {};
		result.cwd = options.cwd;
		result.env = options.env;
		result["windowsVerbatimArguments"] = options.windowsVerbatimArguments || this._isCmdFile();
		if (options.windowsVerbatimArguments) result.argv0 = `"${toolPath}"`;
		return result;
	}
	exec() {
		return __awaiter$1(this, void 0, void 0, function* () {
			if (!isRooted(this.toolPath) && (this.toolPath.includes("/") || IS_WINDOWS && this.toolPath.includes("\\"))) this.toolPath = path.resolve(process.cwd(), this.options.cwd || process.cwd(), this.toolPath);
			this.toolPath = yield which(this.toolPath, true);
			return new Promise((resolve, reject) => __awaiter$1(this, void 0, void 0, function* () {
				this._debug(`exec tool: ${this.toolPath}`);
				this._debug("arguments:");
				for (const arg of this.args) this._debug(`   ${arg}`);
				const optionsNonNull = this._cloneExecOptions(this.options);
				if (!optionsNonNull.silent && optionsNonNull.outStream) optionsNonNull.outStream.write(this._getCommandString(optionsNonNull) + os.EOL);
				const state = new ExecState(optionsNonNull, this.toolPath);
				state.on("debug", (message) => {
					this._debug(message);
				});
				if (this.options.cwd && !(yield exists(this.options.cwd))) return reject(new Error(`The cwd: ${this.options.cwd} does not exist!`));
				const fileName = this._getSpawnFileName();
				const cp = child.spawn(fileName, this._getSpawnArgs(optionsNonNull), this._getSpawnOptions(this.options, fileName));
				let stdbuffer = "";
				if (cp.stdout) cp.stdout.on("data", (data) => {
					if (this.options.listeners && this.options.listeners.stdout) this.options.listeners.stdout(data);
					if (!optionsNonNull.silent && optionsNonNull.outStream) optionsNonNull.outStream.write(data);
					stdbuffer = this._processLineBuffer(data, stdbuffer, (line) => {
						if (this.options.listeners && this.options.listeners.stdline) this.options.listeners.stdline(line);
					});
				});
				let errbuffer = "";
				if (cp.stderr) cp.stderr.on("data", (data) => {
					state.processStderr = true;
					if (this.options.listeners && this.options.listeners.stderr) this.options.listeners.stderr(data);
					if (!optionsNonNull.silent && optionsNonNull.errStream && optionsNonNull.outStream) (optionsNonNull.failOnStdErr ? optionsNonNull.errStream : optionsNonNull.outStream).write(data);
					errbuffer = this._processLineBuffer(data, errbuffer, (line) => {
						if (this.options.listeners && this.options.listeners.errline) this.options.listeners.errline(line);
					});
				});
				cp.on("error", (err) => {
					state.processError = err.message;
					state.processExited = true;
					state.processClosed = true;
					state.CheckComplete();
				});
				cp.on("exit", (code) => {
					state.processExitCode = code;
					state.processExited = true;
					this._debug(`Exit code ${code} received from tool '${this.toolPath}'`);
					state.CheckComplete();
				});
				cp.on("close", (code) => {
					state.processExitCode = code;
					state.processExited = true;
					state.processClosed = true;
					this._debug(`STDIO streams have closed for tool '${this.toolPath}'`);
					state.CheckComplete();
				});
				state.on("done", (error, exitCode) => {
					if (stdbuffer.length > 0) this.emit("stdline", stdbuffer);
					if (errbuffer.length > 0) this.emit("errline", errbuffer);
					cp.removeAllListeners();
					if (error) reject(error);
					else resolve(exitCode);
				});
				if (this.options.input) {
					if (!cp.stdin) throw new Error("child process missing stdin");
					cp.stdin.end(this.options.input);
				}
			}));
		});
	}
};
function argStringToArray(argString) {
	const args = [];
	let inQuotes = false;
	let escaped = false;
	let arg = "";
	function append(c) {
		if (escaped && c !== "\"") arg += "\\";
		arg += c;
		escaped = false;
	}
	for (let i = 0; i < argString.length; i++) {
		const c = argString.charAt(i);
		if (c === "\"") {
			if (!escaped) inQuotes = !inQuotes;
			else append(c);
			continue;
		}
		if (c === "\\" && escaped) {
			append(c);
			continue;
		}
		if (c === "\\" && inQuotes) {
			escaped = true;
			continue;
		}
		if (c === " " && !inQuotes) {
			if (arg.length > 0) {
				args.push(arg);
				arg = "";
			}
			continue;
		}
		append(c);
	}
	if (arg.length > 0) args.push(arg.trim());
	return args;
}
var ExecState = class ExecState extends events.EventEmitter {
	constructor(options, toolPath) {
		super();
		this.processClosed = false;
		this.processError = "";
		this.processExitCode = 0;
		this.processExited = false;
		this.processStderr = false;
		this.delay = 1e4;
		this.done = false;
		this.timeout = null;
		if (!toolPath) throw new Error("toolPath must not be empty");
		this.options = options;
		this.toolPath = toolPath;
		if (options.delay) this.delay = options.delay;
	}
	CheckComplete() {
		if (this.done) return;
		if (this.processClosed) this._setResult();
		else if (this.processExited) this.timeout = setTimeout$1(ExecState.HandleTimeout, this.delay, this);
	}
	_debug(message) {
		this.emit("debug", message);
	}
	_setResult() {
		let error;
		if (this.processExited) {
			if (this.processError) error = new Error(`There was an error when attempting to execute the process '${this.toolPath}'. This may indicate the process failed to start. Error: ${this.processError}`);
			else if (this.processExitCode !== 0 && !this.options.ignoreReturnCode) error = new Error(`The process '${this.toolPath}' failed with exit code ${this.processExitCode}`);
			else if (this.processStderr && this.options.failOnStdErr) error = new Error(`The process '${this.toolPath}' failed because one or more lines were written to the STDERR stream`);
		}
		if (this.timeout) {
			clearTimeout(this.timeout);
			this.timeout = null;
		}
		this.done = true;
		this.emit("done", error, this.processExitCode);
	}
	static HandleTimeout(state) {
		if (state.done) return;
		if (!state.processClosed && state.processExited) {
			const message = `The STDIO streams did not close within ${state.delay / 1e3} seconds of the exit event from process '${state.toolPath}'. This may indicate a child process inherited the STDIO streams and has not yet exited.`;
			state._debug(message);
		}
		state._setResult();
	}
};
// node_modules/@actions/exec/lib/exec.js
var __awaiter = function(thisArg, _arguments, P, generator) {
	function adopt(value) {
		return value instanceof P ? value : new P(function(resolve) {
			resolve(value);
		});
	}
	return new (P || (P = Promise))(function(resolve, reject) {
		function fulfilled(value) {
			try {
				step(generator.next(value));
			} catch (e) {
				reject(e);
			}
		}
		function rejected(value) {
			try {
				step(generator["throw"](value));
			} catch (e) {
				reject(e);
			}
		}
		function step(result) {
			result.done ? resolve(result.value) : adopt(result.value).then(fulfilled, rejected);
		}
		step((generator = generator.apply(thisArg, _arguments || [])).next());
	});
};
function exec(commandLine, args, options) {
	return __awaiter(this, void 0, void 0, function* () {
		const commandArgs = argStringToArray(commandLine);
		if (commandArgs.length === 0) throw new Error(`Parameter 'commandLine' cannot be null or empty.`);
		const toolPath = commandArgs[0];
		args = commandArgs.slice(1).concat(args || []);
		return new ToolRunner(toolPath, args, options).exec();
	});
}
// src/record/command.ts
const IN_A_GROUP = `
  trap : INT TERM HUP
  set -m
  "$BASH" --noprofile --norc "$@" &
  set +m
  printf %s "$!" >"$0"
  while wait "$!"; code=$?; kill -0 "$!" 2>/dev/null; do :; done
  exit "$code"`;
function runCommand(request) {
	const pidFile = join(request.out, ".pid");
	let group = 0;
	const learnGroup = () => {
		if (group === 0 && existsSync(pidFile)) group = Number(readFileSync(pidFile, "utf8"));
	};
	const learning = setInterval(learnGroup, 20);
	const args = [
		...[
			"--noprofile",
			"--norc",
			"-c",
			IN_A_GROUP,
			pidFile
		],
		...[
			request.script,
			"--out",
			request.out,
			"--bundle",
			request.bundle
		],
		...request.junit.flatMap((glob) => ["--junit", glob]),
		...request.lockfiles.flatMap((path) => ["--lockfile", path]),
		...["--", ...request.argv]
	];
	return {
		exitCode: exec(`"${bash()}"`, args, {
			cwd: request.directory,
			env: { ...request.environment },
			ignoreReturnCode: true,
			silent: true,
			input: Buffer.alloc(0),
			listeners: {
				stdout: (data) => process.stdout.write(data),
				stderr: (data) => process.stderr.write(data)
			}
		}).finally(() => {
			clearInterval(learning);
			rmSync(pidFile, { force: true });
		}),
		signal: (signal) => {
			learnGroup();
			if (!Number.isSafeInteger(group) || group <= 1) return;
			try {
				process.kill(group, signal);
			} catch {}
		}
	};
}
function bash() {
	const git = join(process.env.ProgramFiles ?? "C:\\Program Files", "Git", "bin", "bash.exe");
	return process.platform === "win32" && existsSync(git) ? git : "bash";
}
// src/record/reason.ts
function reasonOf(error) {
	return error instanceof Error ? error.message : String(error);
}
// src/report/escape.ts
const LONGEST = 300;
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
function visible(text, longest = LONGEST) {
	return (text.length > longest ? `${text.slice(0, longest).replace(/[\ud800-\udbff]$/, "")}…` : text).replace(/\r?\n/g, "⏎").replace(/\t/g, " ").replace(INVISIBLE, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
const BREAK = "";
function markdownText(text) {
	return visible(text).replace(/([@#])(?=[\p{L}\p{N}_])/gu, `$1${BREAK}`).replace(/(GH-|www)(?=[\d.])/gi, `$1${BREAK}`).replace(/:(?=\/\/)/g, `:${BREAK}`).replace(/(?=\d*[a-f])(?=[a-f]*\d)[0-9a-f]{7,}/gi, (hex) => hex.replace(/.{6}(?=.)/g, `$&${BREAK}`)).replace(/[&<>|]/g, (mark) => `&#${mark.charCodeAt(0)};`).replace(/[\\`*_[\]~$]/g, "\\$&").replace(/^(\s*\d{1,9})([.)])(?=\s|$)/, "$1\\$2").replace(/^(\s*)([-+=])/, "$1\\$2").replaceAll(BREAK, "&#8203;");
}
function markdownCode(text) {
	const shown = visible(text);
	if (/^[^`|\\$]+$/.test(shown) && shown.trim() === shown) return `\`${shown}\``;
	return `<code>${shown.replace(/[^\p{L}\p{N} ]/gu, (mark) => `&#${mark.codePointAt(0)};`)}</code>`;
}
function markdownLine(text) {
	return visible(text);
}
function fenceFor(lines) {
	const longest = lines.reduce((most, line) => Math.max(most, ...[...line.matchAll(/`+/g)].map((run) => run[0].length)), 2);
	return "`".repeat(Math.max(3, longest + 1));
}
function htmlText(text) {
	return visible(text).replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`);
}
function terminalText(text) {
	return visible(text);
}
// src/report/page-style.ts
const STYLE = `
:root { color-scheme: light dark; --fg: #1f2328; --muted: #59636e; --bg: #fff; --soft: #f6f8fa; --line: #d1d9e0;
  --code: #818b981f; --ok: #1a7f37; --bad: #d1242f; --link: #0969da; --ins: #dafbe1; --del: #ffebe9; }
@media (prefers-color-scheme: dark) { :root { --fg: #f0f6fc; --muted: #9198a1; --bg: #0d1117; --soft: #151b23;
  --line: #3d444d; --code: #656c7633; --ok: #3fb950; --bad: #f85149; --link: #4493f8; --ins: #2ea04326; --del: #f8514926; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--bg); color: var(--fg);
  font: 16px/1.5 -apple-system, BlinkMacSystemFont, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif; }
main { max-width: 1012px; margin: 32px auto; padding: 0 16px; }
header { display: flex; gap: 12px; padding-bottom: 16px; border-bottom: 1px solid var(--line); margin-bottom: 16px; }
header svg { flex: none; margin-top: 3px; fill: var(--muted); }
header.success svg { fill: var(--ok); }
header.failure svg { fill: var(--bad); }
header h1 { font-size: 20px; line-height: 1.5; font-weight: 600; margin: 0; }
header p { margin: 0; color: var(--muted); font-size: 14px; }
h3 { font-size: 1.25em; font-weight: 600; line-height: 1.25; margin: 24px 0 16px; }
p, ol, ul, pre, .table, details { margin: 0 0 16px; }
ol, ul { padding-left: 2em; }
li + li { margin-top: .25em; }
a { color: var(--link); }
code, pre { font: 85%/1.45 ui-monospace, SFMono-Regular, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace; }
code { padding: .2em .4em; background: var(--code); border-radius: 6px; overflow-wrap: break-word; }
pre { padding: 16px; background: var(--soft); border-radius: 6px; overflow: auto; }
pre ins, pre del, pre span { display: block; text-decoration: none; }
pre ins { background: var(--ins); }
pre del { background: var(--del); }
.table { overflow-x: auto; }
table { border-collapse: collapse; }
th, td { border: 1px solid var(--line); padding: 6px 13px; text-align: left; vertical-align: top; }
th { font-weight: 600; }
tbody tr:nth-child(2n) { background: var(--soft); }
summary { cursor: pointer; margin-bottom: 16px; }
details:not([open]) summary { margin-bottom: 0; }
`;
// src/report/html.ts
function renderPage(blocks, head) {
	return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${htmlText(head.name)}: ${htmlText(head.title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<header class="${head.conclusion}">
<svg viewBox="0 0 16 16" width="24" height="24" aria-label="${head.conclusion}"><path d="${ICONS[head.conclusion]}"/></svg>
<div><h1>${htmlText(head.name)}</h1><p>${htmlText(head.title)}</p></div>
</header>
<article>
${blocks.map(block$2).join("\n")}
</article>
</main>
</body>
</html>
`;
}
const ICONS = {
	success: "M8 0a8 8 0 1 1 0 16A8 8 0 0 1 8 0Zm3.6 5.2L7 9.8 4.9 7.7 3.8 8.8 7 12l5.7-5.7Z",
	failure: "M8 0a8 8 0 1 1 0 16A8 8 0 0 1 8 0ZM5.6 4.5 4.5 5.6 6.9 8l-2.4 2.4 1.1 1.1L8 9.1l2.4 2.4 1.1-1.1L9.1 8l2.4-2.4-1.1-1.1L8 6.9Z",
	cancelled: "M8 0a8 8 0 1 1 0 16A8 8 0 0 1 8 0ZM4 7.2v1.6h8V7.2Z"
};
function block$2(node) {
	switch (node.kind) {
		case "paragraph": return `<p>${inlineHtml(node.content)}</p>`;
		case "heading": return `<h3>${inlineHtml(node.content)}</h3>`;
		case "table": {
			const row = (cells, tag) => `<tr>${cells.map((cell) => `<${tag}>${inlineHtml(cell)}</${tag}>`).join("")}</tr>`;
			const body = node.rows.map((cells) => row(cells, "td")).join("\n");
			return `<div class="table"><table><thead>${row(node.head, "th")}</thead>\n<tbody>${body}</tbody></table></div>`;
		}
		case "list": {
			const tag = node.ordered ? "ol" : "ul";
			return `<${tag}>${node.items.map((item) => `<li>${inlineHtml(item)}</li>`).join("\n")}</${tag}>`;
		}
		case "details": return `<details><summary>${inlineHtml(node.summary)}</summary>\n${node.blocks.map(block$2).join("\n")}\n</details>`;
		case "diff": return `<pre>${node.lines.map(diffLine).join("")}</pre>`;
		case "link": return `<p>${inlineHtml(node.before)}<a href="${htmlText(encodeURI(node.address))}">${htmlText(node.text)}</a></p>`;
	}
}
function diffLine(line) {
	const tag = line.startsWith("+") ? "ins" : line.startsWith("-") ? "del" : "span";
	return `<${tag}>${htmlText(line)}</${tag}>`;
}
function inlineHtml(content) {
	return content.map((inline) => {
		if (typeof inline === "string") return htmlText(inline);
		if ("code" in inline) return `<code>${htmlText(inline.code)}</code>`;
		if ("icon" in inline) return `<span aria-hidden="true">${inline.icon}</span> `;
		if ("strong" in inline) return `<strong>${inlineHtml(inline.strong)}</strong>`;
		return `<em>${inlineHtml(inline.em)}</em>`;
	}).join("");
}
// src/judge/conclusion.ts
function endingOf(result) {
	if (result.result === null && result.exitCode === null && result.signal === null) return null;
	if (result.result === "skipped") return null;
	if (result.shared && result.result === "failure" && result.exitCode !== null) return conclude$1([{
		...result,
		result: null
	}]);
	return conclude$1([result]);
}
function conclude$1(ci) {
	const ends = ci.map(({ exitCode, result }) => result ?? (exitCode === 0 ? "success" : "failure"));
	if (ends.length > 0 && ends.every((end) => end === "success")) return "success";
	return ends.length > 0 && ends.every((end) => end === "success" || end === "cancelled") ? "cancelled" : "failure";
}
// src/compare/packages.ts
function differing$1({ added, removed, changed }) {
	return added.length + removed.length + changed.length;
}
function differenceOf(ecosystem, from, to) {
	const before = versions(ecosystem, from);
	const after = versions(ecosystem, to);
	const difference = {
		added: [],
		removed: [],
		changed: []
	};
	const direct = directOf(from, to);
	for (const name of [...new Set([...before.keys(), ...after.keys()])].sort()) {
		const there = before.get(name) ?? NONE;
		const here = after.get(name) ?? NONE;
		const gone = shownOf(there, here);
		const come = shownOf(here, there);
		for (let index = 0; index < Math.max(gone.length, come.length); index++) {
			const old = gone[index];
			const now = come[index];
			if (old !== void 0 && now !== void 0) difference.changed.push({
				name,
				from: old,
				to: now,
				...direct(name)
			});
			else if (old !== void 0) difference.removed.push({
				name,
				version: old,
				...direct(name)
			});
			else if (now !== void 0) difference.added.push({
				name,
				version: now,
				...direct(name)
			});
		}
	}
	return difference;
}
function directOf(...sides) {
	const told = new Map();
	for (const { name, direct } of sides.flat()) if (direct !== null) told.set(name, direct || told.get(name) === true);
	return (name) => {
		const direct = told.get(name);
		return direct === void 0 ? {} : { direct };
	};
}
function countPackages(ecosystem, packages) {
	let count = 0;
	for (const of of versions(ecosystem, packages).values()) count += of.size;
	return count;
}
function versionKey(ecosystem, { version, source, local }) {
	return `${local || version === null ? "" : foldVersion(ecosystem, version)} ${source ?? ""}`;
}
const NONE = new Map();
const made = new WeakMap();
function versions(ecosystem, packages) {
	const known = made.get(packages);
	if (known?.ecosystem === ecosystem) return known.names;
	const names = new Map();
	for (const { name, version, source, local } of packages) {
		const of = names.get(name) ?? new Map();
		names.set(name, of);
		const key = versionKey(ecosystem, {
			version,
			source,
			local
		});
		const shown = source === null ? version ?? "" : version === null ? source : `${version} from ${source}`;
		const other = of.get(key);
		if (other === void 0 || shown < other) of.set(key, shown);
	}
	made.set(packages, {
		ecosystem,
		names
	});
	return names;
}
function shownOf(these, others) {
	const shown = [...these].filter(([key]) => !others.has(key)).map(([, version]) => version);
	return shown.length < 2 ? shown : shown.sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
}
// src/judge/witness.ts
function witnessOf(comparison, ended) {
	if (comparison.scratch === null) return "none";
	if (comparison.exits.scratchCode === null) return "incomplete";
	if (contradictsItself(comparison)) return "inconsistent";
	if (endedDifferently(comparison, ended) || comparison.tests.flipped.length > 0) return "contradicted";
	if (isStale(comparison)) return "stale";
	if (differencesOf(comparison).length > 0) return "different";
	return comparison.source.same === true && isComplete(comparison) ? "corroborated" : "unbound";
}
function isStale({ source: { same, bundleBrought, afterBundle } }) {
	if (same !== null) return !same;
	return bundleBrought === false || afterBundle !== null && afterBundle.length > 0;
}
function endedDifferently(comparison, ended) {
	const { scratchCode } = comparison.exits;
	return scratchCode !== null && ended !== null && ended !== "cancelled" && scratchCode === 0 !== (ended === "success");
}
function contradictsItself(comparison) {
	const { scratch, exits, tests } = comparison;
	const passed = exits.scratchCode === 0;
	return (scratch?.problems.some((problem) => problem.kind === "edited-after-capture") ?? false) || recordedExits(scratch) !== null || passed && (failuresOf(comparison, "scratch") > 0 || nothingRan(tests.scratch));
}
function recordedExits(scratch) {
	if (scratch === null || scratch.run === null) return null;
	for (const { runner, exit: run } of [scratch.run, ...scratch.run.others]) {
		const exit = scratch.exits.find((file) => file.runner === runner)?.code ?? null;
		if (run !== null && exit !== null && run !== exit) return {
			run,
			exit
		};
	}
	return null;
}
function failuresOf({ scratch, ci, tests }, side) {
	const counts = tests[side];
	const problems = (side === "scratch" ? scratch : ci)?.tests?.suiteProblems.length ?? 0;
	return (counts?.failed ?? 0) + (counts?.errors ?? 0) + problems;
}
function doubtOf({ scratch, signals }) {
	if (signals.copied !== null) return "copied";
	if (scratch?.tests?.countMismatches.some(({ of }) => of === "failures")) return "failures";
	if (signals.scratch.outside !== null) return "timestamp";
	return signals.scratch.otherHosts.length > 0 ? "hostname" : null;
}
function nothingRan(counts) {
	return counts !== null && counts.total === counts.skipped;
}
function differencesOf(comparison) {
	const { toolchain, lockfiles, installed, command, tests } = comparison;
	const different = {
		platform: toolchain.some((row) => row.grade === "platform"),
		toolchain: toolchain.some((row) => row.grade === "abi"),
		tests: tests.scratch !== null && tests.ci !== null && tests.onlyScratch.length + tests.onlyCi.length + tests.skippedInScratch.length + tests.skippedInCi.length + tests.unexpected.length > 0,
		lockfile: lockfiles.some((lockfile) => lockfile.compared === "differs" || lockfile.scratch === "none"),
		installed: installed.some(({ againstCi }) => againstCi !== null && differing$1(againstCi) > 0),
		command: command.same === false && (tests.scratch === null || tests.ci === null)
	};
	return Object.keys(different).filter((difference) => different[difference]);
}
const LANGUAGES = new Set([
	"python",
	"node",
	"go",
	"rustc",
	"java",
	"ruby",
	"dotnet",
	"php",
	"deno",
	"bun"
].map((tool) => `${tool}.version`));
function configuresTests({ kind }) {
	return kind === "test configuration" || kind === "tests";
}
function isComplete(comparison) {
	const { toolchain, lockfiles, tests, source } = comparison;
	const recorded = (key) => toolchain.some((row) => row.key === key && row.grade !== "unrecorded");
	const there = toolchain.filter((row) => LANGUAGES.has(row.key) && row.scratch !== null);
	return recorded("os") && recorded("arch") && there.length > 0 && there.every((row) => row.grade !== "unrecorded") && lockfiles.every((lockfile) => lockfile.compared === "same") && tests.agreed > comparison.signals.scratch.hollow.length && source.submodules.length === 0 && (source.lfsPointers.scratch ?? 0) === (source.lfsPointers.ci ?? 0) && source.filtered === 0 && !source.excluded.some(configuresTests) && doubtOf(comparison) === null;
}
// src/judge/across.ts
function acrossLegs(legs) {
	if (legs[0]?.comparison.scratch == null) return [];
	return Object.keys(MEASURED).map((aspect) => {
		const measured = legs.filter(({ comparison }) => MEASURED[aspect](comparison));
		const differs = measured.filter((leg) => isOther(aspect, leg));
		return {
			aspect,
			same: measured.length - differs.length,
			differs: differs.map(({ result }) => result.name),
			notRecorded: legs.length - measured.length
		};
	});
}
function testsAcrossLegs(legs) {
	const reported = legs.filter(({ comparison: { tests } }) => tests.scratch !== null && tests.ci !== null);
	const passed = reported[0]?.comparison.tests.scratch?.passed;
	if (passed === void 0) return null;
	const missed = new Map();
	for (const { comparison } of reported) for (const id of notConfirmed(comparison)) missed.set(id, (missed.get(id) ?? 0) + 1);
	const none = [...missed.values()].filter((number) => number === reported.length).length;
	return {
		legs: reported.length,
		all: Math.max(0, passed - missed.size),
		some: missed.size - none,
		none
	};
}
function notConfirmed({ tests }) {
	const skipped = tests.skippedInCi.flatMap(({ pairs }) => pairs);
	const passed = [...[
		...tests.flipped,
		...tests.unexpected,
		...skipped
	].map(({ scratch }) => scratch), ...tests.onlyScratch].filter(({ status }) => status === "passed");
	return new Set(passed.map((one) => `${one.suite}\0${caseId(one)}`));
}
const MEASURED = {
	result: ({ exits }) => exits.scratchCode !== null,
	platform: ({ toolchain }) => toolchain.some(({ key, grade }) => key === "os" && grade !== "unrecorded"),
	toolchain: ({ toolchain }) => toolchain.some(({ key, grade }) => key.endsWith(".version") && grade !== "unrecorded"),
	lockfile: ({ lockfiles }) => lockfiles.some(({ compared }) => compared !== "could not compare"),
	installed: ({ installed }) => installed.some(({ againstCi }) => againstCi !== null),
	tests: ({ tests }) => tests.scratch !== null && tests.ci !== null
};
function isOther(aspect, { comparison, result }) {
	return aspect === "result" ? endedDifferently(comparison, endingOf(result)) : differencesOf(comparison).includes(aspect);
}
// src/report/document.ts
function code(text) {
	return { code: text };
}
function strong(...content) {
	return { strong: content };
}
function em(...content) {
	return { em: content };
}
function t(texts, ...values) {
	return texts.flatMap((text, index) => {
		const value = values[index];
		const before = text === "" ? [] : [text];
		if (value === void 0) return before;
		if (typeof value === "number") return [...before, group(value)];
		return Array.isArray(value) ? [...before, ...value] : [...before, value];
	});
}
function group(value) {
	return String(value).replace(/\B(?=(\d{3})+$)/g, ",");
}
function count$1(number, one, many = `${one}s`) {
	return `${group(number)} ${number === 1 ? one : many}`;
}
function enumerate(items, most = 3) {
	const shown = items.length > most ? [...items.slice(0, most), [`${group(items.length - most)} more`]] : [...items];
	return shown.flatMap((item, index) => {
		if (index === 0) return item;
		return [index === shown.length - 1 ? " and " : ", ", ...item];
	});
}
function plain(content) {
	return content.map((inline) => {
		if (typeof inline === "string") return visible(inline);
		if ("code" in inline) return visible(inline.code);
		if ("icon" in inline) return "";
		return plain("strong" in inline ? inline.strong : inline.em);
	}).join("");
}
// src/report/wording/sentence.ts
function again(...commands) {
	const known = commands.filter((command) => command !== null);
	if (known.length === 0) return [];
	return t` To run the same experiment: ${enumerate(known.map((command) => [code(command)]), known.length)}.`;
}
function reviewed(under) {
	return under === "commit" ? "the commit under review" : "the working tree";
}
function sentenceCase(text) {
	return text.charAt(0).toUpperCase() + text.slice(1);
}
function asSentence(clause) {
	const parts = sentenceCase(clause).split("`");
	return [...parts.length % 2 === 1 ? parts.map((part, index) => index % 2 === 0 ? part : code(part)) : [sentenceCase(clause)], "."];
}
// src/report/wording/bundle.ts
const CAPTURE = code("./capture_run.sh");
function bundleSentence(finding) {
	switch (finding.id) {
		case "bundle/none": {
			const { absent, name } = finding.bundle;
			const where = code(name);
			const lead = absent === "no directory" ? t`${sentenceCase(reviewed(finding.under))} has no directory ${where}.` : absent === "empty directory" ? t`The directory ${where} is empty.` : absent === "not read" ? t`Whether ${where} holds evidence could not be told.` : t`No file in ${where} can be read as evidence.`;
			if (absent === "not read") return {
				lead,
				detail: ["It may: why it could not be read stands beside it."]
			};
			return {
				lead,
				detail: t`To leave evidence: run ${CAPTURE} where the tests are run, and commit the directory that it writes.`
			};
		}
		case "bundle/unexpected-file": {
			const files = finding.problems.map(({ file, expected }) => expected === null ? [code(file)] : t`${code(file)} (would be read as ${code(expected)})`);
			return {
				lead: t`${count$1(files.length, "file is", "files are")} no part of a bundle, and ${files.length === 1 ? "was" : "were"} not read.`,
				detail: t`${enumerate(files, 5)}.`
			};
		}
		case "bundle/not-regular": {
			const { file, what } = finding.problem;
			if (file === "") return {
				lead: t`The bundle's directory is a ${what}, and was not followed.`,
				detail: t`To have it read: commit the directory itself.`
			};
			return {
				lead: t`${code(file)} is a ${what}, and counts as missing.`,
				detail: ["Only regular files are read. To have it read: commit the file itself."]
			};
		}
		case "bundle/over-cap": {
			const { file, bytes, cap } = finding.problem;
			return {
				lead: t`${code(file)} is too large, and counts as missing.`,
				detail: t`It has ${group(bytes)} bytes; files of its kind are read up to ${group(cap)} together.`
			};
		}
		case "bundle/too-many-files": return {
			lead: t`The bundle has ${count$1(finding.problem.count, "file")}; the first ${finding.problem.cap} were looked at.`,
			detail: ["The others count as missing."]
		};
		case "bundle/unreadable": {
			const { file, line, why } = finding.problem;
			return {
				lead: file === "" ? ["The bundle cannot be read, and counts as missing."] : t`${code(file)} cannot be read, and counts as missing.`,
				detail: t`${line === null ? "" : `Line ${line}: `}${why.charAt(0).toUpperCase()}${why.slice(1)}${/[.!?]$/.test(why) ? "" : "."}`
			};
		}
		case "bundle/unrecognised-line": {
			const { problems, file } = finding;
			return {
				lead: t`${code(file ?? "")} has ${count$1(problems.length, "line")} of no known shape.`,
				detail: t`${enumerate(problems.map((problem) => t`${code(problem.text)} (line ${problem.line})`), 5)}. ${problems.length === 1 ? "It is" : "They are"} not compared.`
			};
		}
		case "bundle/repeated-key": {
			const { problems, file } = finding;
			return {
				lead: t`${code(file ?? "")} gives ${count$1(problems.length, "key")} more than once. The first counts.`,
				detail: t`${enumerate(problems.map((problem) => t`${code(problem.key)} (line ${problem.line})`), 5)}.`
			};
		}
		case "bundle/not-utf8": return {
			lead: t`${code(finding.problem.file)} is not all UTF-8.`,
			detail: ["What is not is shown as �."]
		};
		case "bundle/control-characters": return {
			lead: t`${code(finding.problem.file)} holds control characters.`,
			detail: ["They are shown as �."]
		};
		case "bundle/edited-after-capture": return {
			lead: t`${count$1(finding.files.length, "file is", "files are")} not as ${code("SHA256SUMS")} says: changed, added or removed after the capture.`,
			detail: t`${enumerate(finding.files.map((file) => [code(file)]), 5)}. To have a bundle of one piece: run ${CAPTURE} again and commit what it writes.`
		};
		case "bundle/no-sums": return {
			lead: t`The bundle has no ${code("SHA256SUMS")}. Whether its files are as the capture wrote them is not known.`,
			detail: t`The script writes it last, wherever it finds ${code("sha256sum")}, ${code("shasum")} or ${code("openssl")}. To have it: run ${CAPTURE} again and commit all that it writes.`
		};
		case "bundle/secret": {
			const { problems, file } = finding;
			return {
				lead: t`${file ? code(file) : "What was recorded"} holds what looks like ${problems.length === 1 ? "a secret" : `${problems.length} secrets`}.`,
				detail: t`${enumerate(problems.map(({ line, what }) => line === null ? [code(what)] : t`Line ${line}: ${code(what)}`), 5)}. It is not shown here, and it is in the commit: whoever can read that has it. To be safe: revoke it, and leave it out of what tests print.`
			};
		}
		case "bundle/line-endings": return {
			lead: t`${count$1(finding.files.length, "file has", "files have")} other line endings than ${code("SHA256SUMS")} says, and ${finding.files.length === 1 ? "is" : "are"} otherwise as captured.`,
			detail: t`${enumerate(finding.files.map((file) => [code(file)]), 5)}. Git converts them where it is told to; ${code("evidence/** -text")} in ${code(".gitattributes")} prevents it.`
		};
		default: return null;
	}
}
// src/report/wording/ci.ts
function ciSentence(finding) {
	switch (finding.id) {
		case "ci/not-recorded": return {
			lead: asSentence(finding.what),
			detail: asSentence(finding.remedy)
		};
		case "ci/unreadable": {
			const { problem } = finding;
			return {
				lead: t`CI's ${code(problem.file)} could not be read${problem.kind === "unreadable" && problem.line !== null ? t`, line ${problem.line}` : ""}.`,
				detail: [...problem.kind === "unreadable" ? asSentence(problem.why) : [`It has ${group(problem.bytes)} bytes; at most ${group(problem.cap)} are read.`], " What it holds was not compared."]
			};
		}
		case "ci/stale-junit": return {
			lead: t`${count$1(finding.files.length, "JUnit file is", "JUnit files are")} older than CI's run, and not counted as CI's.`,
			detail: t`${enumerate(finding.files.map((file) => [code(file)]))}. To have CI's own: let ${code("command")} write it.`
		};
		case "ci/result-against-exit":
			if (finding.shared && finding.result !== "success") return {
				lead: t`GitHub says ${code(finding.result)} of the legs together, and each that recorded an exit code recorded 0.`,
				detail: ["GitHub's word counts. A leg that failed before its tests, or in a later step, or that uploaded nothing does that."]
			};
			return {
				lead: t`GitHub says ${code(finding.result)} of ${code(finding.leg)}, whose recorded exit code is ${finding.exit}.`,
				detail: [finding.result === "success" ? "GitHub's word counts. A step that may fail does that; and a recorded number can be written by the code under test." : "GitHub's word counts. A later step of the job does that, or another leg of it that uploaded nothing; and a recorded number can be written by the code under test."]
			};
		default: return null;
	}
}
// src/compare/step.ts
const STEPS = [
	"downgrade",
	"major",
	"minor",
	"patch",
	"other"
];
function stepOf({ from, to }) {
	const [before, after] = [numbers$1(from), numbers$1(to)];
	const at = before.findIndex((number, index) => number !== (after[index] ?? 0));
	const place = at === -1 && after.length > before.length ? before.length : at;
	if (before.length === 0 || after.length === 0 || place === -1) return "other";
	if ((before[place] ?? 0) > (after[place] ?? 0)) return "downgrade";
	return place === 0 ? "major" : place === 1 ? "minor" : "patch";
}
function loudestFirst(changes) {
	return changes.map((change) => ({
		change,
		rank: STEPS.indexOf(stepOf(change))
	})).sort((a, b) => a.rank - b.rank).map(({ change }) => change);
}
function numbers$1(version) {
	return /^v?(\d{1,9}(?:\.\d{1,9}){0,5})(?![\d.!])/.exec(version)?.[1]?.split(".").map(Number) ?? [];
}
// src/report/wording/facts.ts
const LABELS = new Map([
	["os", "System"],
	["arch", "Architecture"],
	["libc", "libc"],
	["emulated", "Emulated"],
	["container", "Container"],
	["distro", "Distribution"],
	["kernel", "Kernel"],
	["cpus", "CPUs"],
	["python.implementation", "Python implementation"],
	["python.version", "Python"],
	["python.soabi", "Python ABI"],
	["python.freethreaded", "Python, free-threaded"],
	["python.debug", "Python, debug build"],
	["python.path", "Python, as found"],
	["python.realpath", "Python binary"],
	["python.venv", "Virtual environment"],
	["pip.version", "pip"],
	["pytest.version", "pytest"],
	["uv.version", "uv"],
	["poetry.version", "Poetry"],
	["node.version", "Node.js"],
	["node.modules", "Node.js ABI"],
	["node.napi", "Node-API"],
	["node.openssl", "OpenSSL in Node.js"],
	["node.platform", "Node.js platform"],
	["node.arch", "Node.js architecture"],
	["node.path", "Node.js, as found"],
	["node.realpath", "Node.js binary"],
	["npm.version", "npm"],
	["pnpm.version", "pnpm"],
	["yarn.version", "Yarn"],
	["go.version", "Go"],
	["go.path", "Go, as found"],
	["go.realpath", "Go binary"],
	["rustc.version", "Rust"],
	["rustc.host", "Rust host"],
	["rustc.channel", "Rust channel"],
	["rustc.commit", "Rust commit"],
	["rustc.path", "rustc, as found"],
	["rustc.realpath", "rustc binary"],
	["cargo.version", "Cargo"],
	["java.class", "Java class version"],
	["java.version", "Java"],
	["java.vm", "Java VM"],
	["java.arch", "Java architecture"],
	["java.vendor", "Java vendor"],
	["java.runtime", "Java runtime"],
	["java.path", "Java, as found"],
	["java.realpath", "Java binary"],
	["mvn.version", "Maven"],
	["gradle.version", "Gradle"],
	["ruby.engine", "Ruby engine"],
	["ruby.version", "Ruby"],
	["ruby.abi", "Ruby ABI"],
	["ruby.platform", "Ruby platform"],
	["ruby.patch", "Ruby patch level"],
	["ruby.path", "Ruby, as found"],
	["ruby.realpath", "Ruby binary"],
	["gem.version", "RubyGems"],
	["bundler.version", "Bundler"],
	["rspec.version", "RSpec"],
	["minitest.version", "minitest"],
	["dotnet.version", ".NET SDK"],
	["dotnet.host", ".NET host"],
	["dotnet.rid", ".NET runtime identifier"],
	["dotnet.arch", ".NET architecture"],
	["dotnet.runtimes", ".NET runtimes"],
	["dotnet.path", ".NET, as found"],
	["dotnet.realpath", ".NET binary"],
	["php.version", "PHP"],
	["php.api", "PHP extension API"],
	["php.threadsafe", "PHP, thread-safe"],
	["php.debug", "PHP, debug build"],
	["php.bits", "PHP integer size"],
	["php.extensions", "PHP extensions"],
	["php.path", "PHP, as found"],
	["php.realpath", "PHP binary"],
	["deno.version", "Deno"],
	["deno.target", "Deno target"],
	["deno.v8", "V8 in Deno"],
	["deno.typescript", "TypeScript in Deno"],
	["deno.path", "Deno, as found"],
	["deno.realpath", "Deno binary"],
	["bun.version", "Bun"],
	["bun.modules", "Bun ABI"],
	["bun.platform", "Bun platform"],
	["bun.arch", "Bun architecture"],
	["bun.path", "Bun, as found"],
	["bun.realpath", "Bun binary"],
	["tz", "Time zone"],
	["locale", "Locale"],
	["image.os", "Runner image"],
	["image.version", "Runner image build"],
	["runner.os", "Runner system"],
	["runner.arch", "Runner architecture"],
	["runner.environment", "Runner"]
]);
function label(key) {
	const name = LABELS.get(key);
	if (name !== void 0) return [name];
	return [code(key.replace(/^(?:env|go)\./, ""))];
}
function value(recorded) {
	if (recorded === null) return [em("not recorded")];
	return /^(?:not set|[\w.+-]{1,24}(?: (?=\D{0,24}\d)[\w.+-]{1,24}){0,2})$/.test(recorded) ? [recorded] : [code(recorded)];
}
function gradeOf(row) {
	if (DIRECTED.has(row.key) && row.newer === "ci") return ["CI newer: carries over"];
	if (DIRECTED.has(row.key) && row.newer === "scratch") return [strong("CI older: does not carry over")];
	if (row.grade === "unrecorded" && row.scratch !== null && row.ci !== null) return ["recorded in part"];
	return GRADES[row.grade];
}
const DIRECTED = new Set([
	"libc",
	"go.GOAMD64",
	"go.GOARM64"
]);
const GRADES = {
	same: ["same"],
	cosmetic: ["differs, no matter"],
	drift: ["other version"],
	abi: [strong("other ABI")],
	platform: [strong("other platform")],
	unrecorded: ["not recorded"]
};
const TOOL_OF_RUNNER = [
	[/^pytest$/, "python"],
	[/^(?:npm|pnpm|yarn|node)-test$|^(?:vitest|jest|mocha)$/, "node"],
	[/^bun-test$/, "bun"],
	[/^deno-test$/, "deno"],
	[/^go-test$/, "go"],
	[/^cargo-test$/, "rustc"],
	[/^(?:mvn|gradle)-test$/, "java"],
	[/^(?:rspec|minitest)$/, "ruby"],
	[/^dotnet-test$/, "dotnet"],
	[/^phpunit$/, "php"]
];
function runtime(evidence, ran) {
	const get = (key) => evidence?.toolchain?.facts.get(key)?.value ?? null;
	if (evidence?.run?.toolsByPath) return null;
	const runner = ran ?? evidence?.run?.runner ?? evidence?.exits[0]?.runner ?? "pytest";
	const own = TOOL_OF_RUNNER.find(([like]) => like.test(runner))?.[1];
	const order = own === void 0 ? [
		"python",
		"node",
		"go",
		"rustc",
		"java",
		"ruby",
		"dotnet",
		"php",
		"deno",
		"bun"
	] : [own];
	for (const tool of order) {
		const version = get(`${tool}.version`);
		if (version !== null) return t`${LABELS.get(`${tool}.version`) ?? tool} ${value(version.replace(/^v/, ""))}`;
	}
	return null;
}
function machine(evidence) {
	const get = (key) => evidence?.toolchain?.facts.get(key)?.value;
	const [os, arch, libc] = [
		get("os"),
		get("arch"),
		get("libc")
	].map((one) => one ? value(one) : null);
	const system = os && arch ? t`${os} ${arch}` : os ?? arch;
	return system && libc ? t`${system}, ${libc}` : system ?? libc ?? null;
}
function moment(recorded) {
	const match = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::\d\d)?(?:\.\d+)?(?:Z|\+00:00)$/.exec(recorded);
	return match === null ? [code(recorded)] : t`${match[1] ?? ""} ${match[2] ?? ""} UTC`;
}
// src/report/wording/remedies.ts
const REMEDIES = new Map([
	["python.version", "uv venv --python {}"],
	["pip.version", "python -m pip install pip=={}"],
	["pytest.version", "python -m pip install pytest=={}"],
	["uv.version", "uv self update {}"],
	["poetry.version", "poetry self update {}"],
	["node.version", "nvm install {}"],
	["npm.version", "npm install --global npm@{}"],
	["pnpm.version", "corepack use pnpm@{}"],
	["yarn.version", "corepack use yarn@{}"],
	["go.version", "go env -w GOTOOLCHAIN=go{}"],
	["go.CGO_ENABLED", "export CGO_ENABLED={}"],
	["go.GOAMD64", "export GOAMD64={}"],
	["go.GOARM64", "export GOARM64={}"],
	["rustc.version", "rustup toolchain install {} && rustup override set {}"],
	["rustc.channel", "rustup toolchain install {} && rustup override set {}"],
	["java.version", "mise use java@{}"],
	["mvn.version", "mvn wrapper:wrapper -Dmaven={}"],
	["gradle.version", "gradle wrapper --gradle-version {}"],
	["ruby.version", "rbenv install {} && rbenv local {}"],
	["gem.version", "gem update --system {}"],
	["bundler.version", "gem install bundler --version {}"],
	["dotnet.version", "dotnet-install.sh --version {}"],
	["php.version", "docker run --rm -it -v \"$PWD\":/work -w /work php:{}-cli bash"],
	["deno.version", "deno upgrade {}"],
	["bun.version", "npm install --global bun@{}"],
	["tz", "export TZ={}"],
	["locale", "export LC_ALL={}"]
]);
function remedyOf(row) {
	const { key, ci } = row;
	if (ci === null) return null;
	if (key.startsWith("env.") && ci === "not set") return `unset ${key.slice(4)}`;
	if (!/^[\w][\w.+/-]{0,40}$/.test(ci)) return null;
	if (key.endsWith(".version")) return versionRemedy(key, ci);
	if (key === "rustc.channel" && ci === "dev") return null;
	if (key.startsWith("env.")) return ci === "set" ? null : `export ${key.slice(4)}=${ci}`;
	return REMEDIES.get(key)?.replaceAll("{}", ci) ?? null;
}
const INSTALLABLE = new Map([
	["python.version", (version) => /^\d+\.\d+\.\d+(?:(?:a|b|rc)\d+)?$/.exec(version)?.[0] ?? null],
	["rustc.version", (version) => /-(nightly|beta)\b/.exec(version)?.[1] ?? released(version)],
	["java.version", (version) => version.startsWith("1.8.") ? "8" : released(version)],
	["php.version", (version) => /^\d+\.\d+\.\d+/.exec(version)?.[0] ?? null]
]);
function released(version) {
	return /^\d+(?:\.\d+)*$/.test(version) ? version : null;
}
function versionRemedy(key, ci) {
	const version = (INSTALLABLE.get(key) ?? released)(ci);
	return version === null ? null : REMEDIES.get(key)?.replaceAll("{}", version) ?? null;
}
function remediesOf(rows) {
	const versions = rows.some((row) => row.key === "rustc.version");
	const apart = rows.filter((row) => !(versions && row.key === "rustc.channel"));
	return [...new Set(apart.flatMap((row) => remedyOf(row) ?? []))].slice(0, 4);
}
const IMAGES = new Map([
	["ubuntu", "ubuntu"],
	["debian", "debian"],
	["alpine", "alpine"],
	["fedora", "fedora"],
	["rocky", "rockylinux/rockylinux"],
	["almalinux", "almalinux"]
]);
const PLATFORMS = new Map([
	["x86_64", "linux/amd64"],
	["amd64", "linux/amd64"],
	["aarch64", "linux/arm64"],
	["arm64", "linux/arm64"]
]);
function containerOf(distro, arch) {
	const [id = "", version = ""] = (distro ?? "").split(" ");
	const image = IMAGES.get(id);
	if (image === void 0 || !/^\d[\d.]{0,10}$/.test(version)) return null;
	const platform = PLATFORMS.get(arch ?? "");
	return `docker run --rm -it ${platform === void 0 ? "" : `--platform ${platform} `}-v "$PWD":/work -w /work ${image}:${version} sh`;
}
// src/report/wording/experiment.ts
function experimentSentence(finding) {
	switch (finding.id) {
		case "toolchain/missing": return {
			lead: t`The bundle has no ${code("toolchain.txt")}.`,
			detail: t`What the tests ran on is not recorded. To record it: ${code("./capture_run.sh -- COMMAND")}.`
		};
		case "toolchain/platform": return {
			lead: ["Another platform."],
			detail: t`${differences(finding.rows)}. A PASS does not carry over from one to the other.${sameMachine(finding)}`
		};
		case "toolchain/abi": {
			const version = finding.rows.find((row) => row.key === `${finding.tool}.version`);
			const what = version === void 0 ? label(finding.rows[0]?.key ?? finding.tool) : label(version.key);
			return {
				lead: finding.tool === "libc" ? t`Another libc, and CI has the older.` : t`Another ${what} ABI.`,
				detail: t`${differences(finding.rows)}.${finding.tool === "libc" ? sameMachine(finding) : again(...remediesOf(finding.rows))}`
			};
		}
		case "toolchain/drift": return {
			lead: ["Other versions of the tools."],
			detail: t`${differences(finding.rows)}.${again(...remediesOf(finding.rows))}`
		};
		case "toolchain/not-recorded": {
			const [partly, oneSided] = [true, false].map((both) => finding.rows.filter((row) => (row.scratch !== null && row.ci !== null) === both).map((row) => label(row.key)));
			return {
				lead: t`${count$1(finding.rows.length, "fact")} of the toolchain could not be compared.`,
				detail: t`${oneSided?.length ? t`Recorded on one side only: ${enumerate(oneSided, 6)}.` : []}${partly?.length ? t` Recorded on both sides, but not in full: ${enumerate(partly, 6)}.` : []} What is not recorded is not compared.`
			};
		}
		case "toolchain/by-path": return {
			lead: ["Which tools the scratch command started was not seen in its words."],
			detail: t`Those on its ${code("PATH")} are recorded. To record them as used: name the tool in the command, as in ${code("./capture_run.sh -- .venv/bin/python -m pytest")}.`
		};
		case "lockfile/differs": {
			const { added, removed, changed, path, install } = finding.lockfile;
			return {
				lead: t`${count$1(differing$1(finding.lockfile), "package differs", "packages differ")} from the lockfile under review, ${code(path)}.`,
				detail: t`${changes(changed, added, removed, ["only in the lockfile under review", "only in the scratch copy"], true)}.${again(install)}`
			};
		}
		case "lockfile/other-hash": return {
			lead: t`${count$1(finding.packages.length, "package has", "packages have")} the same version and other hashes.`,
			detail: t`${enumerate(finding.packages.map(nameVersion))}. The bytes that were locked there are not those that ${code(finding.path)} names.${again(finding.install)}`
		};
		case "lockfile/other-artefact": return {
			lead: t`For ${count$1(finding.packages.length, "package")} the two lockfiles have no file for CI's platform in common.`,
			detail: t`${enumerate(finding.packages.map(nameVersion))}: the same version. A lockfile that was made for another platform does that.${again(finding.install)}`
		};
		case "lockfile/same-packages": return {
			lead: t`${code(finding.lockfile.file ?? "lock.copy")} and ${code(finding.lockfile.path)} name the same packages in other bytes.`,
			detail: t`What else the two say differs: order, comments, conditions, ranges, where packages come from. ${sameArtefacts(finding.lockfile)}`
		};
		case "lockfile/none": return {
			lead: t`The scratch run found no lockfile; ${reviewed(finding.under)} has ${code(finding.lockfile.path)}.`,
			detail: t`Which versions it would install again is not pinned.${again(finding.lockfile.install)}`
		};
		case "lockfile/missing": return {
			lead: t`The bundle has no copy of the lockfile, ${code(finding.lockfile.path)}.`,
			detail: t`What the run was to install is not recorded. To record it: ${code("./capture_run.sh -- COMMAND")}.`
		};
		case "lockfile/nowhere": return {
			lead: [`The scratch run found no lockfile, and ${reviewed(finding.under)} has none of a name that is known.`],
			detail: ["Neither run pins what it installs: the next one may install other versions."]
		};
		case "lockfile/only-freeze": return {
			lead: t`The bundle lists what was installed and has no copy of the lockfile, ${code(finding.lockfile.path)}.`,
			detail: t`${code(finding.freeze)} says what landed, not what was asked for. To record both: ${code("./capture_run.sh -- COMMAND")}.`
		};
		case "lockfile/ignored": return {
			lead: t`The scratch run used ${code(finding.lockfile.path)}, which git ignores.`,
			detail: t`No commit has it, so that CI cannot install it. To have both install the same: ${code(`git add --force ${finding.lockfile.path}`)}.`
		};
		case "lockfile/not-compared": {
			const { file, path, why, notRead } = finding.lockfile;
			const lines = notRead.map((entry) => t`${code(entry.text)}${entry.line === null ? "" : ` (line ${entry.line})`}`);
			return {
				lead: t`${code(file ?? path)} could not be compared package by package.`,
				detail: t`${why === null ? [] : asSentence(why)}${lines.length === 0 ? [] : t` Not understood: ${enumerate(lines)}.`}`
			};
		}
		case "lockfile/weak": return {
			lead: t`${code(finding.lockfile.path)} pins less than a lockfile does.`,
			detail: asSentence(finding.lockfile.weak ?? "")
		};
		case "installed/not-locked": return {
			lead: t`${count$1(finding.against.notLocked.length, "installed package is", "installed packages are")} in no lockfile.`,
			detail: t`${enumerate(finding.against.notLocked.map(nameVersion))}.${again(finding.against.install)}`
		};
		case "installed/other-version": return {
			lead: t`${count$1(finding.against.otherVersion.length, "package was", "packages were")} installed in the scratch box at another version than its own lockfile names.`,
			detail: t`Locked → installed: ${enumerate(finding.against.otherVersion.map((one) => change(one, false)))}.${again(finding.against.install)}`
		};
		case "installed/missing": return {
			lead: t`${count$1(finding.against.missing.length, "package is", "packages are")} locked for every platform and ${finding.against.missing.length === 1 ? "was" : "were"} not installed in the scratch box.`,
			detail: t`${enumerate(finding.against.missing.map(nameVersion))}.${again(finding.against.install)}`
		};
		case "installed/differs": {
			const difference = finding.installed.againstCi ?? {
				changed: [],
				added: [],
				removed: []
			};
			const { changed, added, removed } = difference;
			return {
				lead: t`${count$1(differing$1(difference), "installed package differs", "installed packages differ")} between the scratch box and CI.`,
				detail: t`${changes(changed, added, removed, ["only in CI", "only there"])}.${again(finding.installed.againstLock?.install ?? null)}`
			};
		}
		case "installed/not-read": return {
			lead: t`${code(finding.file ?? "")} has ${count$1(finding.lines.length, "line")} that ${finding.lines.length === 1 ? "was" : "were"} not understood.`,
			detail: t`${enumerate(finding.lines.map((line) => code(line.text)).map((inline) => [inline]))}. They are not compared.`
		};
		case "installed/ci-not-locked": return {
			lead: t`In CI, ${count$1(finding.against.notLocked.length, "installed package is", "installed packages are")} in no lockfile.`,
			detail: t`${enumerate(finding.against.notLocked.map(nameVersion))}.`
		};
		case "installed/ci-other-version": return {
			lead: t`CI itself ran ${count$1(finding.against.otherVersion.length, "package")} at another version than its lockfile, ${code(finding.against.lockfile)}, names.`,
			detail: t`Locked → installed: ${enumerate(finding.against.otherVersion.map((one) => change(one, false)))}. What installs there resolves afresh instead of installing the lockfile.`
		};
		case "command/differs": return {
			lead: ["Another command."],
			detail: t`${code(finding.scratch)} there, ${code(finding.ci)} here.`
		};
		default: return null;
	}
}
function differences(rows) {
	return rows.flatMap((row, index) => {
		const grade = DIRECTED.has(row.key) && row.newer === "ci" ? t` (${gradeOf(row)})` : [];
		return [...index === 0 ? [] : ["; "], ...t`${label(row.key)} ${value(row.scratch)} there, ${value(row.ci)} here${grade}`];
	});
}
function changes(changed, added, removed, [onlyTo, onlyFrom], directed = false) {
	const parts = [];
	if (changed.length > 0) parts.push(enumerate(loudestFirst(changed).map((one) => change(one, directed))));
	const lead = (text) => parts.length === 0 ? sentenceCase(text) : text;
	if (added.length > 0) parts.push(t`${lead(onlyTo)}: ${enumerate(added.map(nameVersion))}`);
	if (removed.length > 0) parts.push(t`${lead(onlyFrom)}: ${enumerate(removed.map(nameVersion))}`);
	return parts.flatMap((part, index) => index === 0 ? part : ["; ", ...part]);
}
function change(one, directed) {
	const { name, from, to } = one;
	const older = directed && stepOf(one) === "downgrade";
	return t`${code(name)} ${value(from)} → ${value(to)}${older ? " (a downgrade)" : ""}`;
}
function nameVersion({ name, version }) {
	return version === "" ? [code(name)] : t`${code(name)} ${value(version)}`;
}
function sameMachine(ci) {
	const container = containerOf(ci.distro, ci.arch);
	return container === null ? [" To run the same experiment: use a machine or container image like CI's."] : again(container);
}
function sameArtefacts({ artefacts }) {
	const { same = 0, notRecorded = 0 } = artefacts ?? {};
	if (same === 0) return "Hashes that could tell whether they are the same artefacts are not recorded.";
	const rest = notRecorded === 0 ? "" : `; of ${notRecorded} no hashes are recorded`;
	return `${same === 1 ? "The artefact" : "The artefacts"} of ${count$1(same, "package")} ${same === 1 ? "is" : "are"} the same, by hash${rest}.`;
}
// src/report/wording/signals.ts
function signalSentence(finding) {
	switch (finding.id) {
		case "tests/copied": {
			const { files, times, moment } = finding.copied;
			return {
				lead: moment !== null ? t`The scratch report and CI's are dated to the same fraction of a second, ${code(moment)}.` : times === null ? t`${enumerate(files.map((file) => [code(file)]))} ${files.length === 1 ? "is" : "are"} byte for byte what CI wrote.` : t`The scratch report and CI's have the same time for each of ${count$1(times, "test")}.`,
				detail: [
					"Two runs do not begin and last the same to the millisecond: one report was made from the other. A file that is copied to both, or CI's artifact in the bundle, does that. To have the scratch run's own: ",
					code("./capture_run.sh"),
					"."
				]
			};
		}
		case "tests/timestamp": {
			const { stamp, started, finished } = finding.outside;
			return {
				lead: t`${own(finding.side)} report is dated ${code(stamp)}, and the run was ${finished === null ? t`from ${moment(started)} on` : t`from ${moment(started)} to ${moment(finished)}`}.`,
				detail: t`A report that an earlier run left, tests that were taken from a cache (Gradle's ${code("FROM-CACHE")}) and a clock that was set do that.${finding.side === "scratch" ? t` To have one of this run: ${code("./capture_run.sh")}.` : ""}`
			};
		}
		case "tests/hostname": return {
			lead: t`${own(finding.side)} report names another machine than the one whose toolchain was recorded: ${enumerate(finding.hosts.map((host) => [code(host)]))}.`,
			detail: [
				"Tests that run in a container, or on another machine, do that: what they ran with is then not recorded. To record it: run ",
				code("capture_run.sh"),
				" where the tests run."
			]
		};
		case "tests/same-time": return {
			lead: t`All ${count$1(finding.cases, "test")} that ran ${where$1(finding.side)} took the same time, ${String(finding.seconds)} s.`,
			detail: ["Measured times usually differ. Tests that wait a fixed time do that, and a reporter that writes whole seconds or a time of its own making."]
		};
		case "tests/no-time": return {
			lead: t`${count$1(finding.cases, "test")} ran ${where$1(finding.side)} in no time at all, their suites included.`,
			detail: ["Tests that are quicker than the reporter can count, and results that are taken from a cache, look like that."]
		};
		case "tests/cached": {
			const { side, packages, cases } = finding;
			return {
				lead: t`Go answered ${packages !== null ? count$1(packages, "package") : `the packages of ${count$1(cases ?? 0, "test")}`} from its cache ${where$1(side)}: ${packages === 1 ? "its" : "their"} tests did not run again.`,
				detail: t`The results are those of an earlier run of the same files. To run them: ${code("go test -count=1")}.`
			};
		}
		case "tests/hollow": {
			const one = finding.cases.length === 1;
			return {
				lead: t`${count$1(finding.cases.length, "file")} counted as ${one ? "a passed test" : "passed tests"} ${where$1(finding.side)} and ran no test of ${one ? "its" : "their"} own: ${names$2(finding.cases)}.`,
				detail: t`node:test does so for a file that defines no test, and for one that ends by ${code("process.exit()")} before its tests.`
			};
		}
		case "tests/rerun": return rerunSentence(finding.side, finding.cases);
		case "tests/not-written": {
			const { side, exit, what } = finding;
			return {
				lead: t`${side === "ci" ? "CI" : "The scratch run"} ${exit === null ? "ended" : `exited ${exit}`} and left no JUnit XML, which was to be written.`,
				detail: t`Nothing says that a test ran. Asked for: ${code(what)}. A process that ends itself (${code("os._exit()")}, ${code("sys.exit()")}), a run that stops before its tests, and tests in a container or with settings of their own do that.`
			};
		}
		default: return null;
	}
}
function rerunSentence(side, cases) {
	const passed = cases.filter(({ status }) => status === "passed");
	const attempts = cases.reduce((sum, one) => sum + one.attempts, 0);
	const again = t`${count$1(cases.length, "test was", "tests were")} run again ${where$1(side)}, ${attempts === 1 ? "once" : `${group(attempts)} times in all`}`;
	if (passed.length === 0) return {
		lead: t`${again}; ${cases.length === 1 ? "it did not pass" : "none passed"} in the end.`,
		detail: [...names$2(cases), "."]
	};
	return {
		lead: t`${again}; ${passed.length === cases.length ? passed.length === 1 ? "it passed" : "all passed" : `${group(passed.length)} passed`} in the end.`,
		detail: t`${names$2(passed)}. An earlier attempt is no case of its own. A test that fails and then passes says less than one that passes at once.`
	};
}
function names$2(cases) {
	return enumerate(cases.map((one) => [code(shownName(one))]));
}
function own(side) {
	return side === "ci" ? "CI's" : "The scratch";
}
function where$1(side) {
	return side === "ci" ? "in CI" : "in the scratch box";
}
// src/report/wording/tests.ts
function counts(tests) {
	const shown = [
		[tests.passed, "passed"],
		[tests.failed, "failed"],
		[tests.errors, tests.errors === 1 ? "error" : "errors"],
		[tests.skipped, "skipped"],
		[tests.expected, "failed as expected"]
	].filter(([number]) => number > 0).map(([number, word]) => `${group(number)} ${word}`);
	return [count$1(tests.total, "test"), ...shown].join(", ");
}
function transferSentence(tests) {
	if (tests.scratch === null || tests.ci === null) return null;
	const { agreedPassed, agreedExpected, agreed, flipped, unexpected, skippedInScratch, skippedInCi, skippedInBoth } = tests;
	const { onlyScratch, onlyCi } = tests;
	const neither = agreed - agreedPassed - agreedExpected;
	const ranThere = executed(onlyScratch);
	const neverThere = skippedInBoth + casesIn(skippedInScratch) + onlyScratch.length - ranThere;
	const neverHere = casesIn(skippedInCi) + ranThere;
	const again = tests.repeats.scratch.length;
	const claimed = agreed + flipped.length + unexpected.length + neverThere + neverHere + again;
	const { skips, cases } = tests.skippedAsOne;
	const shown = [
		t`${claimed} claimed${skips === 0 ? "" : ` (${count$1(skips, "skip stands", "skips stand")} for ${group(cases)})`}`,
		t`${agreedPassed} confirmed by CI`,
		agreedExpected > 0 ? t`${agreedExpected} failed as expected on both sides` : null,
		neither > 0 ? t`${neither} passed on neither side` : null,
		unexpected.length > 0 ? t`${unexpected.length} failed as expected on one side alone` : null,
		flipped.length > 0 ? t`${flipped.length} ended differently` : null,
		neverThere > 0 ? t`${neverThere} never ran there${causes$1(skippedInScratch)}` : null,
		neverHere > 0 ? t`${neverHere} CI never ran` : null,
		again > 0 ? t`${again} ${again === 1 ? "is another entry of a test that is" : "are other entries of tests that are"} counted already` : null
	].flatMap((part) => part === null ? [] : [part]);
	const more = onlyCi.length === 0 ? "" : ` ${group(onlyCi.length)} more ${onlyCi.length === 1 ? "is" : "are"} only in CI.`;
	return t`${shown.flatMap((part, index) => index === 0 ? part : ["; ", ...part])}.${more}`;
}
function causes$1(groups) {
	const told = groups.filter(({ cause: why }) => why !== "other");
	if (told.length === 0) return [];
	return t` (${told.flatMap((one, index) => t`${index === 0 ? "" : ", "}${one.pairs.length} ${skipLabel(one)}`)})`;
}
function executed(cases) {
	return cases.filter(({ status }) => status !== "skipped").length;
}
function casesIn(groups) {
	return groups.reduce((sum, one) => sum + one.pairs.length, 0);
}
function skipCauses(groups, side) {
	return groups.flatMap((one, index) => [...index === 0 ? [] : [" "], ...t`${group(one.pairs.length)} ${cause(one, side)}.`]);
}
function cause({ cause: why, detail, pairs }, side) {
	switch (why) {
		case "network": return ["whose message tells of no network"];
		case "module": return detail === null ? ["whose message tells of a missing module"] : t`whose message tells of a missing module, ${code(detail)}`;
		case "platform": return ["whose message tells of another platform or tool version"];
		case "credentials": return ["whose message tells of credentials that were not set"];
		case "other": {
			const message = pairs[0]?.[side === "there" ? "scratch" : "ci"].message ?? null;
			return message === null ? ["with no reason given"] : pairs.length === 1 ? t`for another reason, ${code(message)}` : t`for other reasons, such as ${code(message)}`;
		}
	}
}
function skipLabel({ cause: why, detail }) {
	switch (why) {
		case "network": return ["no network"];
		case "module": return detail === null ? ["module missing"] : t`${code(detail)} missing`;
		case "platform": return ["platform or version"];
		case "credentials": return ["no credentials"];
		case "other": return ["other reasons"];
	}
}
function timesSentence({ timeRanks }) {
	if (timeRanks === null) return null;
	const { rho, cases } = timeRanks;
	const figure = `${rho.toFixed(2)} over ${count$1(cases, "case")}`;
	if (rho >= .7) return [`Case times rank alike (${figure}): they behave like the same suite.`];
	return [`Case times do not rank alike (${figure}). Another load or machine can do that.`];
}
// src/report/wording/outcome.ts
function outcomeSentence(finding) {
	switch (finding.id) {
		case "exit/missing": return {
			lead: ["The bundle has no exit code."],
			detail: finding.interrupted ? t`${code("run.txt")} says that the run began and not that it ended. To record one: run ${code("capture_run.sh")} again and let it finish.` : t`Whether the run passed is not recorded. To record it: ${code("./capture_run.sh -- COMMAND")}.`
		};
		case "exit/not-a-number": return {
			lead: t`${code(finding.file ?? "")} holds no exit code${finding.word === "" ? ": it is empty" : t`: it says ${code(finding.word)}`}.`,
			detail: t`An exit code is one integer, as ${code("echo $?")} prints it. To record it: ${code("./capture_run.sh -- COMMAND")}.`
		};
		case "exit/interrupted": return {
			lead: t`The scratch run was interrupted, by ${code(`SIG${finding.signal}`)}.`,
			detail: t`What it did not reach says nothing.${finding.notRun.length === 0 ? [] : t` Never run: ${enumerate(finding.notRun.map((command) => [code(command)]))}.`} To have all of it: run ${code("capture_run.sh")} again and let it finish.`
		};
		case "exit/two-answers": return {
			lead: t`The bundle gives two exit codes.`,
			detail: t`${code("run.txt")} says ${finding.run}, ${code(finding.file ?? "")} says ${finding.exit}. One script writes both in one go; run it again.`
		};
		case "exit/against-report": return {
			lead: t`${finding.side === "ci" ? "CI" : "The scratch run"} exited 0, and its own XML has ${count$1(finding.failures, "failure")}.`,
			detail: t`An exit code that is lost in a pipe (${code("… | tail")}) or in ${code("|| true")}, a hook that sets it, a process that ends itself and failures that are expected do that. ${finding.side === "ci" ? t`The exit code counts. To keep it: no ${code("|| true")} and no pipe behind the command.` : t`To keep it: ${code("./capture_run.sh -- COMMAND")}, with no pipe behind it.`}`
		};
		case "exit/against-ci": return {
			lead: t`The scratch run exited ${finding.scratch}; CI ${finding.ci === null ? "ended differently" : t`exited ${finding.ci}`}.`,
			detail: finding.ci === null ? ["CI recorded no exit code: it may have failed before its tests, or in a later step."] : finding.scratch === 0 ? ["What differs between the two runs stands below; usually the cause is among it."] : ["The scratch run did not pass. CI did."]
		};
		case "exit/other-code": return {
			lead: t`Both runs failed, with other exit codes: ${finding.scratch} there, ${finding.ci} here.`,
			detail: []
		};
		case "tests/none-ran": return {
			lead: t`No test ran ${where$1(finding.side)}.`,
			detail: finding.skipped > 0 ? t`The XML has ${count$1(finding.skipped, "case")}, all skipped.` : ["The XML has no case."]
		};
		case "tests/no-report": return finding.side === "scratch" ? {
			lead: ["The bundle has no JUnit XML."],
			detail: finding.cargoTest ? t`Which tests ran there is not recorded: ${code("cargo test")} writes none. To record it: ${code("./capture_run.sh -- cargo nextest run")}.` : t`Which tests ran there is not recorded. To record it: ${code("./capture_run.sh --junit PATH -- COMMAND")}.`
		} : {
			lead: ["CI wrote no JUnit XML."],
			detail: finding.cargoTest ? t`Case by case there is nothing to compare with: ${code("cargo test")} writes none. To record it: let the command be ${code("cargo nextest run")}.` : t`Case by case there is nothing to compare with. To record it: let the command write one, and name it: ${code("junit")} of the action, ${code("--junit")} on the command line.`
		};
		case "tests/green-report": return {
			lead: t`Every case ${where$1(finding.side)} passed, and the exit code was ${finding.exit}.`,
			detail: ["A coverage threshold, a session hook, a suite that could not load or an unhandled error does that. The exit code counts."]
		};
		case "tests/flipped": return {
			lead: t`${count$1(finding.pairs.length, "test")} ended differently there and here.`,
			detail: t`${enumerate(finding.pairs.map(({ scratch, ci }) => t`${code(shownName(scratch))}: ${scratch.status} there, ${ci.status} here`))}.`
		};
		case "tests/expected": return {
			lead: t`${count$1(finding.pairs.length, "test")} failed as expected on one side alone.`,
			detail: t`${enumerate(finding.pairs.map(({ scratch, ci }) => t`${code(shownName(scratch))}: ${ended$2(scratch)} there, ${ended$2(ci)} here`))}. A test that is known to be unstable, or a fault that is mended on one side, does that.`
		};
		case "tests/skipped-in-scratch": return {
			lead: t`${count$1(casesIn(finding.groups), "test was", "tests were")} skipped in the scratch box and ran in CI${failing(finding.groups, "ci")}.`,
			detail: t`${skipCauses(finding.groups, "there")}${failingNames(finding.groups, "ci")}${finding.groups.some(({ cause }) => cause === "module") ? again(finding.install) : []}`
		};
		case "tests/skipped-in-ci": {
			const sum = casesIn(finding.groups);
			return {
				lead: t`${count$1(sum, "test")} ran in the scratch box${failing(finding.groups, "scratch", ",")} and ${sum === 1 ? "was" : "were"} skipped in CI: CI proved less.`,
				detail: t`${skipCauses(finding.groups, "here")}${failingNames(finding.groups, "scratch")}`
			};
		}
		case "tests/only-scratch": return {
			lead: t`${count$1(finding.cases.length, "test is", "tests are")} only in the scratch run${skippedOf(finding.cases, "there")}: CI never ran ${finding.cases.length === 1 ? "it" : "them"}.`,
			detail: names$1(finding.cases)
		};
		case "tests/only-ci": return {
			lead: t`${count$1(finding.cases.length, "test is", "tests are")} only in CI's run${skippedOf(finding.cases, "here")}.`,
			detail: names$1(finding.cases)
		};
		case "tests/suite-problem": return {
			lead: t`${count$1(finding.problems.length, "problem")} in ${finding.side === "ci" ? "CI's" : "the scratch"} XML ${finding.problems.length === 1 ? "belongs" : "belong"} to a whole suite and to no test.`,
			detail: t`${finding.problems[0]?.message ? t`${code(finding.problems[0].message)}. ` : ""}A suite that could not be loaded or set up is reported so; its tests are then not in the XML.`
		};
		case "tests/count-mismatch": return {
			lead: finding.of === "failures" ? t`A suite in ${code(finding.file ?? "")} counts ${count$1(finding.attribute, "failure")}, and none of its cases has one.` : t`The totals in ${code(finding.file ?? "")} are not the number of its cases: ${finding.attribute} against ${finding.elements}.`,
			detail: finding.of === "failures" ? t`A reporter that counts a failed hook or an attempt that was run again does that, and an edit of the file. To have it as the run wrote it: ${code("./capture_run.sh")}.` : ["Many reporters count so. The cases are what is compared."]
		};
		default: return null;
	}
}
function ended$2({ status }) {
	return status === "expected" ? "failed as expected" : status === "error" ? "in error" : status;
}
function failing(groups, side, end = "") {
	const failed = failedOf(groups, side).length;
	return failed === 0 ? "" : `, where ${group(failed)} failed${end}`;
}
function failingNames(groups, side) {
	const cases = failedOf(groups, side);
	return cases.length === 0 ? [] : t` Failed ${side === "ci" ? "here" : "there"}: ${names$1(cases)}`;
}
function failedOf(groups, side) {
	return groups.flatMap(({ pairs }) => pairs.map((pair) => pair[side])).filter(({ status }) => status === "failed" || status === "error");
}
function skippedOf(cases, where) {
	const skipped = cases.filter(({ status }) => status === "skipped").length;
	return skipped === 0 ? "" : `, ${group(skipped)} of them skipped ${where}`;
}
function names$1(cases) {
	return t`${enumerate(cases.map((one) => [code(shownName(one))]))}.`;
}
// src/report/wording/source.ts
const BIND = t`To bind it again: run ${code("capture_run.sh")} on this commit and commit what it writes.`;
const NOT_RECORDED = {
	"format 1": t`Format 1 does not record it. The ${code("capture_run.sh")} of this action does: it writes ${code("git.tree")}.`,
	"no run.txt": t`It stands in ${code("run.txt")}, which is missing or could not be read.`,
	"no git": t`${code("run.txt")} has no ${code("git.tree")}: where it ran there was no git repository, or no git.`,
	"not read": t`${code("run.txt")} has no ${code("git.tree")} that is the name of a tree: git there could not read every file.`
};
const BIND_HERE = t`To bind it again: run ${code("capture_run.sh")} on it as it is now.`;
function sourceSentence(finding) {
	switch (finding.id) {
		case "source/other-tree": {
			const { changed, scratch, head, base, captured, under } = finding;
			return {
				lead: [`The scratch run was of other source than ${reviewed(under)}.`],
				detail: changed === null ? t`Tree ${code(scratch.slice(0, 10))} there, ${code(head.slice(0, 10))} here, each without the bundle's own files. Which files differ cannot be told: ${captured === null ? "the bundle names no commit" : t`the captured commit ${code(captured.slice(0, 10))} does not make that tree, or is not in this repository`}. A commit that was never pushed, or that was replaced, does that, and many files that were never committed. ${BIND}` : t`${files(changed, base)}${causes(changed)} ${under === "commit" ? BIND : BIND_HERE}`
			};
		}
		case "source/other-bundles": return {
			lead: t`Since the capture, ${count$1(finding.directories.length, "other bundle", "other bundles")} changed.`,
			detail: t`${names(finding.directories)}. What another run recorded is no source of this one.`
		};
		case "source/left-over": return {
			lead: ["The bundle came with an earlier change."],
			detail: t`No file of it is changed by this pull request. To have evidence of this change: run ${code("capture_run.sh")} again and commit what it writes.`
		};
		case "source/later-commits": return {
			lead: t`Commits after the bundle changed ${count$1(finding.changed.length, "file")}.`,
			detail: t`${files(finding.changed, finding.base)} The bundle does not say which source it ran; it was there before them. ${BIND}`
		};
		case "source/not-recorded": return {
			lead: ["The bundle does not say which source it ran."],
			detail: NOT_RECORDED[finding.why]
		};
		case "source/hidden": return {
			lead: t`The scratch box told git to overlook changes of ${/^\d+$/.test(finding.hidden) ? count$1(Number(finding.hidden), "tracked file") : t`tracked files (${code(finding.hidden)})`}.`,
			detail: t`${finding.paths.length === 0 ? [] : t`${names(finding.paths)}. `}They are marked ${code("assume-unchanged")} or ${code("skip-worktree")}, as a sparse checkout does too. The recorded tree has them as they were on disk.`
		};
		case "source/changed-by-run": return {
			lead: t`${finding.side === "ci" ? "CI's" : "The scratch"} run changed ${count$1(finding.paths.length, "tracked file")}.`,
			detail: t`${names(finding.paths)}. Updated snapshots, a formatter, a generator or a tool that rewrites its lockfile do that. What is compared is the source before the run.`
		};
		case "source/submodules": return {
			lead: t`The tree does not tell what ${count$1(finding.submodules.length, "submodule or repository inside", "submodules or repositories inside")} held.`,
			detail: t`${enumerate(finding.submodules.map(({ path, scratch, ci }) => t`${code(path)}: ${state(scratch)} there${ci === null || ci === scratch ? "" : `, ${state(ci)} here`}`), 5)}. To have the same: commit inside the submodule and push it; ${code("submodules: true")} for ${code("actions/checkout")}.`
		};
		case "source/lfs": return {
			lead: t`${count$1(finding.scratch ?? 0, "file")} of Git LFS ${finding.scratch === 1 ? "was a pointer" : "were pointers"} in the scratch box, ${finding.ci ?? 0} in CI.`,
			detail: t`A pointer stands in place of the content, so that the tests saw another file. To have the content: ${code("git lfs pull")} there; ${code("lfs: true")} for ${code("actions/checkout")} here.`
		};
		case "source/filtered": return {
			lead: t`${count$1(finding.files, "file")} went through a filter of the scratch box before git saw ${finding.files === 1 ? "it" : "them"}.`,
			detail: t`What was on disk, and ran, is then not what the tree tells. ${code("git config --get-regexp filter")} there names the filters.`
		};
		case "source/excluded": return {
			lead: t`${count$1(finding.paths.length, "file or folder was", "files or folders were")} there that git ignores by rules outside of the repository.`,
			detail: t`${names(finding.paths)}. The tree does not tell of ${finding.paths.length === 1 ? "it" : "them"}. ${code(".git/info/exclude")} and a global ${code("core.excludesFile")} hold such rules.`
		};
		case "source/line-endings": return {
			lead: ["The same tree had other line endings on disk."],
			detail: t`${setting(finding.scratch)} there, ${setting(finding.ci)} here. To have the same everywhere: ${code("* text=auto eol=lf")} in ${code(".gitattributes")}.`
		};
		case "source/ci-tree": return {
			lead: t`CI's command found ${count$1(finding.paths.length, "file")} other than in the commit that was checked out.`,
			detail: t`${names(finding.paths)}. An earlier step of the job that builds, installs or formats does that. The commit under review does not have them so.`
		};
		case "source/merged": return {
			lead: t`CI tested the merge with ${branch(finding.base)}, in which ${count$1(finding.files.length, "file is", "files are")} other than in the commit under review.`,
			detail: t`${enumerate(finding.files.map(file), 8)}.`
		};
		case "source/own-judge": return {
			lead: t`This ${finding.base === null ? "change" : "pull request"} edits its own judge: ${count$1(finding.files.length, "file")}.`,
			detail: t`${byKind(finding.files, (kind) => kind === "command" ? "named by CI's command" : kind)} CI's result is of these files as they are here: they are part of what is reviewed.`
		};
		case "source/script": return finding.script === "other" ? {
			lead: ["The bundle was captured by an unrecognised script."],
			detail: t`Its digest is not that of a published ${code("capture_run.sh")}. A copy that was edited or reformatted, or that is newer than this action, does that. What it recorded is compared all the same. To have a known one: copy ${code("capture_run.sh")} from this version of the action.`
		} : {
			lead: ["The bundle does not say which script made it."],
			detail: t`${code("run.txt")} has no ${code("capture.sha256")}.`
		};
		case "source/not-compared": return {
			lead: asSentence(finding.what),
			detail: asSentence(finding.remedy)
		};
		default: return null;
	}
}
function changedPhrase(changed) {
	const [since, fromBase, absent] = parted(changed).map((group) => group.length);
	return [
		...since > 0 ? [count$1(since, "file differs", "files differ")] : [],
		...fromBase > 0 ? [since > 0 ? `${group(fromBase)} more from the base` : `${count$1(fromBase, "file differs", "files differ")}, ${fromBase === 1 ? "" : "all "}from the base`] : [],
		...absent > 0 ? [`${count$1(absent, "file was", "files were")} not on disk there`] : []
	].join(", and ");
}
function sideOf({ side }) {
	return side === "base" ? "from the base" : side === "capture" ? "since the capture" : "not known";
}
function parted(changed) {
	const there = changed.filter(({ cause }) => cause !== "not on disk");
	return [
		there.filter(({ side }) => side !== "base"),
		there.filter(({ side }) => side === "base"),
		changed.filter(({ cause }) => cause === "not on disk")
	];
}
function files(changed, base) {
	const [since, fromBase, absent] = parted(changed);
	const known = since.some(({ side }) => side === "capture");
	return [
		...since.length === 0 ? [] : [t`${known ? "Since the capture" : "They differ in"}: ${byKind(since)}`],
		...fromBase.length === 0 ? [] : [t`From ${branch(base)}: ${byKind(fromBase)}`],
		...absent.length === 0 ? [] : [t`Not on disk there, as in a sparse checkout: ${names(absent.map(({ path }) => path))}.`]
	].flatMap((part, index) => index === 0 ? part : [" ", ...part]);
}
function byKind(changes, name = (kind) => kind) {
	return t`${[...groupBy(changes, ({ kind }) => kind)].flatMap(([kind, list], index) => [...index === 0 ? [] : ["; "], ...t`${name(kind)} ${enumerate(list.map(file), 4)}`])}.`;
}
function causes(changed) {
	const of = (cause) => changed.filter((one) => one.cause === cause).map(({ path }) => path);
	const [never, written, hidden] = [
		of("never committed"),
		of("written by the run"),
		of("hidden")
	];
	const staged = of("removal was staged");
	return [
		...never.length === 0 ? [] : t` ${names(never)} ${never.length === 1 ? "was" : "were"} there at capture and never committed.`,
		...written.length === 0 ? [] : t` By the bundle's own word ${names(written)} ${written.length === 1 ? "is" : "are"} as the scratch run itself left ${written.length === 1 ? "it" : "them"}.`,
		...staged.length === 0 ? [] : t` ${names(staged)} ${staged.length === 1 ? "was" : "were"} there at capture, and staged to be removed.`,
		...hidden.length === 0 ? [] : t` ${names(hidden)} ${hidden.length === 1 ? "was" : "were"} hidden from git there.`
	];
}
function file({ path, how }) {
	return how === "changed" ? [code(path)] : t`${code(path)} (${how})`;
}
function names(paths) {
	return enumerate(paths.map((path) => [code(path)]), 5);
}
function branch(base) {
	return base === null ? ["the base"] : [code(base)];
}
function state(word) {
	return STATES.get(word) ?? word;
}
const STATES = new Map([
	["dirty", "with changes inside"],
	["absent", "not checked out"],
	["empty", "a repository without a commit"],
	["clean", "as committed"]
]);
function setting(words) {
	return words === "" ? ["none set"] : [code(words)];
}
// src/report/wording/findings.ts
const WORDS = [
	bundleSentence,
	outcomeSentence,
	signalSentence,
	sourceSentence,
	experimentSentence,
	ciSentence
];
function sentence(finding) {
	const said = WORDS.map((words) => words(finding)).find((one) => one !== null) ?? null;
	if (said === null) throw new Error(`The finding ${finding.id} has no sentence.`);
	return said;
}
function message(finding) {
	const { lead, detail } = sentence(finding);
	return detail.length === 0 ? plain(lead) : `${plain(lead)} ${plain(detail)}`;
}
// src/report/wording/proved.ts
function proof(row, { legs }) {
	const { comparison } = legs[0];
	const file = code(row.file ?? "");
	switch (row.kind) {
		case "claim": return {
			have: t`\u201c${comparison.review.claim ?? ""}\u201d in the pull request's text`,
			proved: ["someone claimed success"],
			notProved: ["that any test ran"]
		};
		case "exit": return exitProof(row, comparison);
		case "tests": return testsProof(comparison);
		case "toolchain": {
			const where = machine(comparison.scratch);
			const abi = comparison.toolchain.find((one) => one.grade === "abi" && (one.key.endsWith("soabi") || one.key.endsWith("modules")));
			const other = comparison.toolchain.find((one) => one.grade === "abi");
			const platform = comparison.toolchain.find((one) => one.grade === "platform");
			return {
				have: [file],
				proved: where === null ? ["what was recorded there, and no more"] : t`which tools ${comparison.scratch?.run?.toolsByPath ? "were on its PATH" : "ran"}, on ${where}`,
				notProved: platform !== void 0 ? t`that it behaves the same on another platform: ${code(platform.scratch ?? "")} there, ${code(platform.ci ?? "")} here` : abi !== void 0 ? t`that C extensions behave the same under another ABI: ${code(shortAbi(abi.scratch))} there, ${code(shortAbi(abi.ci))} here` : other !== void 0 ? t`that it behaves the same with another ${label(other.key)}: ${value(other.scratch)} there, ${value(other.ci)} here` : ["that these tools give the same result twice"]
			};
		}
		case "lock": return lockProof(row, comparison);
		case "freeze": return freezeProof(row, comparison);
		case "tree": {
			const { scratchTree, same, changed, otherBundles, ignored } = comparison.source;
			if (scratchTree === null) return {
				have: t`${file}, with no tree`,
				proved: ["which command was run, and when"],
				notProved: ["of which source"]
			};
			const { base, merged } = comparison.review;
			return {
				have: t`tree ${code(scratchTree.slice(0, 7))}`,
				proved: same === true ? t`the run was of exactly the files under review${otherBundles.length > 0 ? ", other bundles apart" : ""}` : ["which files the run was of"],
				notProved: same === false ? changed === null || changed.length === 0 ? ["anything of the files under review: they are others"] : [`anything of the ${count$1(changed.length, "file that differs", "files that differ")}`] : same === null ? ["that these are the files under review: that could not be compared"] : [...merged === null || merged.length === 0 ? ["that they give the same result here"] : t`the merge with ${base === null ? "the base" : code(base)}: CI tested that`, ...ignored ? t`; what ${count$1(ignored, "ignored file or folder", "ignored files and folders")} held` : []]
			};
		}
		case "sums": return {
			have: [file],
			proved: [comparison.scratch?.problems.some((one) => one.kind === "edited-after-capture") ? "that a file is not as it was when the sums were written" : "the files are as the sums say"],
			notProved: ["who wrote them"]
		};
	}
}
function exitProof(row, comparison) {
	const exit = comparison.scratch?.exits.find((one) => one.file === row.file);
	const file = code(row.file ?? "");
	if (exit === void 0 || exit.code === null) return {
		have: exit?.word ? t`${file} says ${code(exit.word)}` : t`${file}, empty`,
		proved: ["nothing: it is no exit code"],
		notProved: ["that any test ran"]
	};
	const runner = exit.runner === "command" ? void 0 : exit.runner;
	const there = runtime(comparison.scratch, runner);
	const here = runtime(comparison.ci, runner);
	const two = recordedExits(comparison.scratch);
	if (two !== null) return {
		have: t`${file} is ${exit.code}`,
		proved: [`nothing: the bundle gives two exit codes, ${two.run} and ${two.exit}`],
		notProved: ["how the run ended"]
	};
	const { ciCode } = comparison.exits;
	const own = ciCode === null ? [". CI alone says that"] : t`. CI's own exit code says that: ${ciCode}`;
	return {
		have: t`${file} is ${exit.code}`,
		proved: t`${there ?? "a command"} on the scratch box exited ${exit.code === 0 ? "zero" : exit.code}`,
		notProved: [...exit.code === 0 ? here === null || there !== null && plain(here) === plain(there) ? ["that CI would"] : t`that CI's ${here} would` : ["anything of CI"], ...own]
	};
}
function testsProof({ tests, scratch }) {
	const names = scratch?.tests?.files ?? [];
	const have = names.length === 1 ? code(names[0] ?? "") : `${names.length} JUnit files`;
	const mine = tests.scratch;
	const sum = casesIn(tests.skippedInScratch);
	const skipped = mine?.skipped ?? 0;
	const missing = [];
	const { skips, cases } = tests.skippedAsOne;
	const standing = skips === 0 ? "" : `, standing for ${skipped - skips + cases} tests`;
	if (skipped > 0) missing.push(`the ${skipped} that ${skipped === 1 ? "was" : "were"} skipped there${standing}${sum > 0 && sum < skipped ? ` (${sum} of them ran here)` : ""}`);
	if (tests.onlyCi.length > 0) missing.push(`the ${tests.onlyCi.length} that ${tests.onlyCi.length === 1 ? "is" : "are"} only in CI`);
	return {
		have: t`${have}, ${count$1(mine?.total ?? 0, "case")}`,
		proved: [`${count$1(mine?.passed ?? 0, "named test")} passed there${mine && mine.failed + mine.errors > 0 ? `, ${mine.failed + mine.errors} did not` : ""}`],
		notProved: [[
			...missing,
			"stability",
			"coverage"
		].join("; ")]
	};
}
function lockProof(row, comparison) {
	const lockfile = comparison.lockfiles.find((one) => one.file === row.file);
	const none = comparison.scratch?.locks.find((one) => one.file === row.file)?.none ?? false;
	const file = code(row.file ?? "");
	if (none) return {
		have: t`${file} says ${code("NO_LOCKFILE")}`,
		proved: ["it looked for a lockfile and found none"],
		notProved: ["which versions were to be installed"]
	};
	if (lockfile === void 0) return {
		have: [file],
		proved: ["a file was copied"],
		notProved: ["which versions were to be installed"]
	};
	const { scratch } = lockfile.packages;
	return {
		have: scratch === null ? [file] : t`${file}, ${count$1(scratch, "package")}${ownOf(lockfile)}`,
		proved: [lockfile.weak === null ? "inputs were named" : "inputs were named, not all of them pinned"],
		notProved: lockGap(lockfile)
	};
}
function lockGap(lockfile) {
	if (lockfile.ignored) return ["that CI had the same: git ignores it, so that no commit has it"];
	if (lockfile.changedHere === true && lockfile.compared === "same") return ["that they are what was installed; this pull request changes it"];
	if (lockfile.compared === "could not compare") return ["that CI had the same: that could not be compared"];
	if (lockfile.compared === "same") return ["that they are what was installed"];
	const number = differing$1(lockfile);
	const { scratch } = lockfile.packages;
	const of = scratch === null || number > scratch ? "" : ` of ${scratch}`;
	return number === 0 ? t`that CI had the same artefacts: ${artefactsOf(lockfile)}${of} are others` : t`that CI had the same: ${number}${of} ${number === 1 ? "differs" : "differ"}`;
}
function freezeProof(row, comparison) {
	const freeze = comparison.scratch?.freezes.find((one) => one.file === row.file);
	const extra = comparison.installed.find((one) => one.file === row.file)?.againstLock?.notLocked.length ?? 0;
	return {
		have: t`${code(row.file ?? "")}, ${count$1(freeze?.packages.packages.filter((one) => !one.local).length ?? 0, "package")}`,
		proved: ["what landed there once"],
		notProved: [`${comparison.scratch?.locks.length === 0 ? "what was locked: there is no copy; " : ""}what will land next time${extra > 0 ? `: ${extra} ${extra === 1 ? "is" : "are"} in no lockfile` : ""}`]
	};
}
function shortAbi(soabi) {
	const match = /^cpython-(\d+t?)/.exec(soabi ?? "");
	return match === null ? soabi ?? "" : `cp${match[1]}`;
}
function artefactsOf({ artefacts }) {
	return (artefacts?.otherHash.length ?? 0) + (artefacts?.otherFile.length ?? 0);
}
function ownOf({ own, packages }) {
	if (own === 0) return "";
	return own === packages.scratch ? ", the project's own" : `, ${own} of them the project's own`;
}
// src/report/json.ts
function renderJson(judgement) {
	return `${JSON.stringify(asData(judgement), null, 2)}\n`;
}
function asData(judgement) {
	const { comparison } = judgement.legs[0];
	const { scratch, exits, toolchain, lockfiles, installed, ciInstalled, tests, source } = comparison;
	const groups = (list, side) => list.flatMap(({ cause, detail, pairs }) => pairs.map((pair) => ({
		name: shownName(pair[side]),
		cause,
		detail,
		message: pair[side].message
	})));
	return {
		schema: 1,
		conclusion: judgement.conclusion,
		ci: judgement.legs.map(({ result }) => result),
		legs: judgement.legs.map(({ result: { name }, comparison: leg }) => ({
			name,
			differences: differencesOf(leg)
		})),
		across: {
			aspects: acrossLegs(judgement.legs),
			tests: testsAcrossLegs(judgement.legs)
		},
		scratch: {
			exitCode: exits.scratchCode,
			format: scratch?.format ?? null
		},
		witness: judgement.witness,
		differences: judgement.differences,
		findings: judgement.findings.map((finding) => ({
			id: finding.id,
			level: finding.level,
			message: message(finding),
			...finding.file === null ? {} : { file: finding.file },
			...finding.line === null ? {} : { line: finding.line }
		})),
		proved: judgement.proved.map((row) => {
			const { have, proved, notProved } = proof(row, judgement);
			return {
				have: plain(have),
				proved: plain(proved),
				notProved: plain(notProved)
			};
		}),
		toolchain: toolchain.map(({ key, scratch: there, ci, grade }) => ({
			key,
			scratch: there,
			ci,
			grade
		})),
		lockfiles: lockfiles.map(({ path, format, scratch: there, identical, compared, why, packages, added, removed, changed, artefacts }) => ({
			path,
			format,
			scratch: there,
			identical,
			compared,
			why,
			packages,
			added,
			removed,
			changed,
			artefacts
		})),
		installed: installed.length === 0 ? null : {
			...againstLocks(installed.flatMap(({ againstLock }) => againstLock ?? [])),
			scratchAgainstCi: againstCi$1(installed.flatMap((one) => one.againstCi ?? []))
		},
		ciInstalled: ciInstalled.length === 0 ? null : againstLocks(ciInstalled),
		tests: {
			scratch: tests.scratch,
			ci: tests.ci,
			flipped: tests.flipped.map((pair) => ({
				name: shownName(pair.scratch),
				scratch: pair.scratch.status,
				ci: pair.ci.status
			})),
			unexpected: tests.unexpected.map((pair) => ({
				name: shownName(pair.scratch),
				scratch: pair.scratch.status,
				ci: pair.ci.status
			})),
			skippedInScratch: groups(tests.skippedInScratch, "scratch"),
			skippedInCi: groups(tests.skippedInCi, "ci"),
			onlyScratch: tests.onlyScratch.map(shownName),
			onlyCi: tests.onlyCi.map(shownName),
			confirmed: tests.agreedPassed,
			skippedInBoth: tests.skippedInBoth,
			repeats: {
				scratch: tests.repeats.scratch.map(shownName),
				ci: tests.repeats.ci.map(shownName)
			},
			rerun: {
				scratch: tests.rerun.scratch.map(asRerun),
				ci: tests.rerun.ci.map(asRerun)
			},
			timeRanks: tests.timeRanks
		},
		source: {
			scratchTree: source.scratchTree,
			headTree: source.headTree,
			ciTree: source.ciTree,
			same: source.same,
			changed: source.changed?.map(({ path }) => path) ?? null,
			changes: withoutContent(source.changed),
			afterBundle: withoutContent(source.afterBundle),
			bundleBrought: source.bundleBrought,
			judgeFiles: withoutContent(source.judgeFiles),
			merged: withoutContent(comparison.review.merged),
			script: source.script
		}
	};
}
function withoutContent(files) {
	return files?.map(({ oid: _, ...file }) => file) ?? null;
}
function asRerun(one) {
	return {
		name: shownName(one),
		status: one.status,
		attempts: one.attempts
	};
}
function againstLocks(of) {
	const none = of.length === 0;
	return {
		notLocked: none ? null : of.flatMap((one) => one.notLocked),
		otherVersion: none ? null : of.flatMap((one) => one.otherVersion),
		missing: none ? null : of.flatMap((one) => one.missing),
		notInstalled: none ? null : of.reduce((sum, one) => sum + one.notInstalled, 0)
	};
}
function againstCi$1(of) {
	if (of.length === 0) return null;
	return {
		added: of.flatMap((one) => one.added),
		removed: of.flatMap((one) => one.removed),
		changed: of.flatMap((one) => one.changed)
	};
}
// src/report/markdown.ts
function renderMarkdown(blocks) {
	return `${blocks.map(block$1).join("\n\n")}\n`;
}
function block$1(node) {
	switch (node.kind) {
		case "paragraph": return inlines(node.content);
		case "heading": return `### ${inlines(node.content)}`;
		case "table": {
			const row = (cells) => `| ${cells.map(inlines).join(" | ")} |`;
			return [
				row(node.head),
				`|${" --- |".repeat(node.head.length)}`,
				...node.rows.map(row)
			].join("\n");
		}
		case "list": return node.items.map((item, index) => `${node.ordered ? `${index + 1}.` : "-"} ${inlines(item)}`).join("\n");
		case "details": return `<details><summary>${inlineHtml(node.summary)}</summary>\n\n${node.blocks.map(block$1).join("\n\n")}\n\n</details>`;
		case "diff": {
			const fence = fenceFor(node.lines);
			return [
				`${fence}diff`,
				...node.lines.map(markdownLine),
				fence
			].join("\n");
		}
		case "link": return `${inlines(node.before)}[${markdownText(node.text)}](${encodeURI(node.address)})`;
	}
}
function inlines(content) {
	return content.map((inline) => {
		if (typeof inline === "string") return markdownText(inline);
		if ("code" in inline) return markdownCode(inline.code);
		if ("icon" in inline) return `${inline.icon} `;
		if ("strong" in inline) return `**${inlines(inline.strong)}**`;
		return `*${inlines(inline.em)}*`;
	}).join("");
}
// src/report/terminal.ts
const STYLES = {
	bold: 1,
	dim: 2,
	italic: 3,
	red: 31,
	green: 32,
	cyan: 36
};
function renderTerminal(blocks, colour, width = 100) {
	const paint = (style, text) => colour ? `\u001b[${STYLES[style]}m${text}\u001b[0m` : text;
	return `${blocks.map((node) => block(node, paint, Math.max(60, width))).join("\n\n")}\n`;
}
function block(node, paint, width) {
	switch (node.kind) {
		case "paragraph": return wrap(node.content, paint, width).join("\n");
		case "heading": return paint("bold", text(node.content));
		case "table": return table$1(node.head, node.rows, paint, width);
		case "list": return node.items.map((item, index) => {
			const mark = node.ordered ? `${index + 1}. ` : "- ";
			return wrap(item, paint, width - mark.length).map((line, row) => (row === 0 ? mark : " ".repeat(mark.length)) + line).join("\n");
		}).join("\n");
		case "details": return [paint("bold", text(node.summary)), ...node.blocks.map((inner) => block(inner, paint, width))].join("\n\n");
		case "diff": return node.lines.map((line) => {
			const shown = terminalText(line);
			return shown.startsWith("+") ? paint("green", shown) : shown.startsWith("-") ? paint("red", shown) : shown;
		}).join("\n");
		case "link": return `${text(node.before)}${terminalText(node.text)}: ${terminalText(node.address)}`;
	}
}
function words(content, style = null) {
	return content.flatMap((inline) => {
		if (typeof inline === "string") return split(terminalText(inline), style);
		if ("code" in inline) return [{
			text: terminalText(inline.code),
			style: "cyan"
		}];
		if ("icon" in inline) return [];
		return words("strong" in inline ? inline.strong : inline.em, "strong" in inline ? "bold" : "italic");
	});
}
function split(shown, style) {
	return shown.split(/( +)/).filter(Boolean).map((word) => ({
		text: word,
		style
	}));
}
function wrap(content, paint, width) {
	const lines = [];
	let line = "";
	let used = 0;
	const all = words(content);
	for (let index = 0; index < all.length; index++) {
		const word = all[index];
		const isSpace = word.text.trim() === "";
		let long = word.text.length;
		for (let next = index + 1; !isSpace && next < all.length && all[next].text.trim() !== ""; next++) long += all[next].text.length;
		const glued = index > 0 && all[index - 1].text.trim() !== "";
		if (!isSpace && !glued && used > 0 && used + long > width) {
			lines.push(line.trimEnd());
			line = "";
			used = 0;
		}
		if (isSpace && used === 0) continue;
		line += word.style === null ? word.text : paint(word.style, word.text);
		used += word.text.length;
	}
	if (line !== "" || lines.length === 0) lines.push(line.trimEnd());
	return lines;
}
function table$1(head, rows, paint, width) {
	const all = [head, ...rows];
	const widths = head.map((_, column) => Math.max(...all.map((row) => length(row[column] ?? []))));
	const gaps = 2 * (head.length - 1);
	while (widths.reduce((sum, one) => sum + one, gaps) > width && Math.max(...widths) > 12) widths[widths.indexOf(Math.max(...widths))] = Math.max(...widths) - 1;
	const line = (cells, bold) => {
		const wrapped = widths.map((limit, column) => wrapCell(cells[column] ?? [], paint, limit, bold));
		const height = Math.max(...wrapped.map((cell) => cell.length));
		return Array.from({ length: height }, (_, row) => wrapped.map((cell, column) => {
			const part = cell[row] ?? {
				shown: "",
				length: 0
			};
			return part.shown + " ".repeat(Math.max(0, (widths[column] ?? 0) - part.length));
		}).join("  ").trimEnd());
	};
	const rule = widths.map((one) => "─".repeat(one)).join("──");
	return [
		...head.every((cell) => cell.length === 0) ? [] : line(head, true),
		paint("dim", rule),
		...rows.flatMap((row) => line(row, false))
	].join("\n");
}
function wrapCell(content, paint, width, bold) {
	const bare = wrap(content, (_, part) => part, width);
	const styled = bold ? bare.map((part) => paint("bold", part)) : wrap(content, paint, width);
	return bare.flatMap((part, index) => {
		if (part.length <= width) return [{
			shown: styled[index] ?? part,
			length: part.length
		}];
		const pieces = [];
		for (let at = 0; at < part.length; at += width) {
			const piece = part.slice(at, at + width);
			pieces.push({
				shown: piece,
				length: piece.length
			});
		}
		return pieces;
	});
}
function text(content) {
	return words(content).map((word) => word.text).join("");
}
function length(content) {
	return text(content).length;
}
// src/compare/command.ts
const REPORTING = new Set([
	"-q",
	"-qq",
	"-v",
	"-vv",
	"-vvv",
	"-s",
	"-rA",
	"-ra",
	"-l",
	"--quiet",
	"--verbose",
	"--no-header",
	"--color",
	"--durations",
	"--tb",
	"--junitxml",
	"--junit-xml",
	"--test-reporter",
	"--test-reporter-destination"
]);
const TAKES_A_WORD = new Set([
	"--color",
	"--durations",
	"--tb",
	"--junitxml",
	"--junit-xml"
]);
const INSTALL = /^(?:(?:\S*python\S* -m )?pip3? |uv (?:sync|pip|venv)\b|poetry (?:install|sync)\b|pdm (?:install|sync)\b|pipenv (?:install|sync)\b|npm (?:ci|install|i)\b|(?:sudo )?apt-get |go mod download\b|cargo fetch\b)/;
const STARTER = /^(?:(?:\S*[\\/])?python[\d.]*(?:\.exe)? -m|(?:uv|poetry|pdm|pipenv|hatch) run)$/;
function compareCommands(scratch, ci) {
	const there = scratch?.run?.command ?? null;
	const here = ci.run?.command ?? null;
	if (there === null || here === null) return {
		scratch: there,
		ci: here,
		same: null
	};
	return {
		scratch: there,
		ci: here,
		same: essence(there) === essence(here)
	};
}
function essence(command) {
	return command.split("\n").map((line) => line.trim()).filter((line) => line !== "" && !line.startsWith("#") && !INSTALL.test(line)).map(essenceOfLine).join("\n");
}
function essenceOfLine(line) {
	const words = line.split(/\s+/);
	const start = words.findIndex((word) => /(?:^|[\\/])(?:pytest|py\.test)(?:\.exe)?$/.test(word));
	const starter = words.slice(0, Math.max(start, 0)).join(" ");
	const rest = start >= 0 && (starter === "" || STARTER.test(starter)) ? ["pytest", ...words.slice(start + 1)] : words;
	const kept = [];
	for (let index = 0; index < rest.length; index++) {
		const word = rest[index] ?? "";
		if (!REPORTING.has(word.split("=", 1)[0] ?? "")) kept.push(word);
		else if (TAKES_A_WORD.has(word)) index++;
	}
	return kept.join(" ");
}
// src/read/lockfile/read.ts
const readings = new WeakMap();
function readLockfile(bytes, path) {
	const known = readings.get(bytes) ?? new Map();
	readings.set(bytes, known);
	const reading = known.get(path) ?? read(bytes, path);
	known.set(path, reading);
	return reading;
}
function read(bytes, path) {
	const { text, invalidAt } = decodeText(bytes);
	const named = path === null ? [] : formatsByName(path);
	const sniffed = formatByContent(text);
	const format = named.find((one) => one === sniffed) ?? named[0] ?? sniffed;
	const failed = (why, line = null) => ({
		format,
		list: null,
		problem: {
			why,
			line
		}
	});
	const conflict = text.search(/^<{7} /m);
	if (format === null) return {
		format,
		list: null,
		problem: null
	};
	if (conflict !== -1) return failed("has merge-conflict markers", lineOf(text, conflict));
	if (sniffed !== null && sniffed !== format) return failed(`is named ${path?.slice(path.lastIndexOf("/") + 1)} and its content is that of ${sniffed.id}`);
	try {
		const list = format.read(text);
		if (list.packages.length === 0 && list.notRead.length > 0) return failed("has no entry that was understood", list.notRead[0]?.line ?? null);
		if (invalidAt === null) return {
			format,
			list,
			problem: null
		};
		const notRead = [{
			line: invalidAt,
			text: "bytes that are no UTF-8"
		}, ...list.notRead];
		return {
			format,
			list: {
				...list,
				notRead
			},
			problem: null
		};
	} catch (error) {
		if (!(error instanceof DocumentError)) throw error;
		return failed(`is no ${format.id}: ${error.message}`, error.line);
	}
}
// src/compare/installed.ts
const BASELINE = new Set([
	"pip",
	"setuptools",
	"wheel",
	"distribute",
	"pkg-resources",
	"uv"
]);
function compareInstalled(scratch, ci) {
	const [ours, theirs] = [readable(scratch), readable(ci)];
	const compared = ours.map((freeze) => {
		const here = theirs.find((one) => one.packages.ecosystem === freeze.packages.ecosystem) ?? empty(ci, freeze);
		return {
			file: freeze.file,
			againstLock: installedAgainstLock(scratch, freeze),
			againstCi: here === void 0 ? null : againstCi(freeze.packages, here.packages)
		};
	});
	const nothing = theirs.flatMap((here) => {
		if (ours.some((one) => one.packages.ecosystem === here.packages.ecosystem)) return [];
		const there = empty(scratch, here);
		return there === void 0 ? [] : [{
			file: there.file,
			againstLock: null,
			againstCi: againstCi({
				...here.packages,
				packages: []
			}, here.packages)
		}];
	});
	return [...compared, ...nothing];
}
function empty(side, { file }) {
	return side.freezes.find(({ file: name, packages }) => name === file && packages.packages.length + packages.notRead.length === 0);
}
function allAgainstLocks(side) {
	return readable(side).flatMap((freeze) => installedAgainstLock(side, freeze) ?? []);
}
function installedAgainstLock(side, freeze = readable(side)[0]) {
	if (freeze === void 0) return null;
	const locks = side.locks.flatMap((copy) => {
		const { format, list } = readLockfile(copy.bytes, copy.path);
		const fits = format !== null && list !== null && list.ecosystem === freeze.packages.ecosystem;
		return copy.none || !fits || format.id === "go.sum" ? [] : [{
			copy,
			format,
			list
		}];
	});
	const [first] = locks;
	if (first === void 0) return null;
	const { path } = first.copy;
	return {
		lockfile: locks.map(({ copy }) => copy.path ?? copy.file).join(", "),
		install: path === null || locks.length > 1 ? null : installCommandOf(first, path),
		...against(freeze.packages, locks.flatMap(({ list }) => list.packages), freeze.form !== "go list -m all" && freeze.form !== "yarn list" && locks.every(namesAll))
	};
}
function namesAll({ copy, format, list }) {
	if (list.notRead.length > 0) return false;
	if (format.id === "go.mod") return !/^go 1\.(?:\d|1[0-6])\b/m.test(decodeText(copy.bytes).text);
	if (format.id !== "requirements") return true;
	const pinned = list.packages.every(isPinned);
	const head = decodeText(copy.bytes.subarray(0, 4096)).text;
	const generated = /^#.*(?:autogenerated|pip-compile|uv pip compile|uv export)/m.test(head);
	const hashed = list.packages.some((one) => one.artefacts.length > 0);
	return pinned && list.packages.length > 0 && (generated || hashed || /\.lock$/.test(copy.path ?? ""));
}
function against({ ecosystem, packages }, locked, complete) {
	const fold = (version) => foldVersion(ecosystem, version);
	const candidates = groupBy(locked, (one) => one.name);
	const called = groupBy(locked.flatMap((one) => one.aliases.map((alias) => ({
		alias,
		one
	}))), ({ alias }) => alias);
	const names = new Set(packages.map((one) => one.name));
	const notLocked = [];
	const otherVersion = [];
	for (const { name, version, local } of packages) {
		if (local) continue;
		const entries = candidates.get(name) ?? called.get(name)?.map(({ one }) => one);
		if (entries === void 0) {
			if (complete && !isBaseline(ecosystem, name)) notLocked.push({
				name,
				version: version ?? ""
			});
			continue;
		}
		const pins = [...new Set(entries.map((one) => one.version))];
		const built = ecosystem === "python" ? version?.replace(/\+.*$/, "") : version;
		const fits = (pin) => [version, built].some((one) => fold(one ?? "") === fold(pin));
		if (version === null || pins.some((pin) => pin === null || fits(pin))) continue;
		otherVersion.push({
			name,
			from: pins.join(", "),
			to: version
		});
	}
	const absent = [...candidates].filter(([name]) => !names.has(name) && !isBaseline(ecosystem, name));
	return {
		installed: packages.filter((one) => !one.local).length,
		notLocked,
		otherVersion,
		missing: absent.filter(([, entries]) => entries.every((one) => !one.conditional && !one.local)).map(([name, [{ version }]]) => ({
			name,
			version: version ?? ""
		})),
		notInstalled: absent.length
	};
}
function againstCi(there, here) {
	const both = [there, here];
	const names = (side, which) => new Set(side.packages.filter(which).map((one) => one.name));
	const local = both.map((side) => names(side, (one) => one.local));
	const versioned = both.map((side) => names(side, (one) => one.version !== null));
	const unversioned = both.map((side) => names(side, (one) => one.version === null));
	const counts = ({ name }) => !isBaseline(there.ecosystem, name) && !local.some((side) => side.has(name)) && !(versioned.some((side) => side.has(name)) && unversioned.some((side) => side.has(name)));
	return differenceOf(there.ecosystem, there.packages.filter(counts), here.packages.filter(counts));
}
function isBaseline(ecosystem, name) {
	return ecosystem === "python" && BASELINE.has(name);
}
function readable(side) {
	return [...groupBy(side.freezes.filter((freeze) => freeze.form !== null && freeze.packages.packages.length > 0), (freeze) => freeze.packages.ecosystem).values()].map(([first]) => first);
}
// src/compare/wheel.ts
function targetOf(toolchain) {
	if (toolchain === null) return null;
	const get = (key) => toolchain.facts.get(key)?.value.toLowerCase() ?? null;
	const version = /^(\d+)\.(\d+)/.exec(get("python.version") ?? "");
	const libc = get("libc");
	return {
		system: get("os"),
		arch: ARCHITECTURES.get(get("arch") ?? "") ?? get("arch"),
		musl: libc === null || libc === "static" ? null : libc.startsWith("musl"),
		python: version === null ? null : `${version[1]}${version[2]}`
	};
}
const ARCHITECTURES = new Map([
	["amd64", "x86_64"],
	["x64", "x86_64"],
	["arm64", "aarch64"],
	["i386", "i686"]
]);
const WHEEL = /-((?:py|cp|pp|ip|jy|graalpy)[\w.]*)-([\w.]+)-([\w.]+)\.whl$/;
function fits(file, target) {
	const match = WHEEL.exec(file);
	if (match === null) return true;
	const [, pythons = "", abi = "", platforms = ""] = match;
	return pythonFits(pythons, abi, target) && platforms.split(".").some((tag) => platformFits(tag, target));
}
function pythonFits(pythons, abi, { python }) {
	if (python === null) return true;
	const [major = "", minor = ""] = [python.slice(0, 1), python.slice(1)];
	return pythons.split(".").some((tag) => {
		const [, kind = "", theirs = "", their = ""] = /^([a-z]+)(\d)(\d*)$/.exec(tag) ?? [];
		if (theirs !== major) return false;
		if (kind === "py" || abi === "abi3" || abi === "none") return their === "" || Number(their) <= Number(minor);
		return their === minor;
	});
}
function platformFits(tag, { system, arch, musl }) {
	if (tag === "any") return true;
	const of = tag.startsWith("macosx") ? "darwin" : tag.startsWith("win") ? "windows" : "linux";
	if (system !== null && system !== of) return false;
	if (musl !== null && (musl && tag.startsWith("manylinux") || !musl && tag.startsWith("musllinux"))) return false;
	if (arch === null || tag.endsWith("universal2")) return true;
	if (of === "windows") return tag === {
		x86_64: "win_amd64",
		aarch64: "win_arm64",
		i686: "win32"
	}[arch];
	return tag.endsWith(`_${of === "darwin" && arch === "aarch64" ? "arm64" : arch}`);
}
// src/compare/artefacts.ts
function compareArtefacts(there, here, target) {
	const { ecosystem } = there;
	const key = (one) => `${one.name} ${versionKey(ecosystem, one)}`;
	const theirs = groupBy(here.packages, key);
	const otherHash = [];
	const otherFile = [];
	let same = 0;
	let notRecorded = 0;
	for (const [id, entries] of groupBy(there.packages, key)) {
		const others = theirs.get(id);
		const [{ name, version, local }] = entries;
		if (others === void 0 || local) continue;
		const answer = compareOne(entries, others, target);
		if (answer === "same") same++;
		else if (answer === null) notRecorded++;
		else (answer === "other hash" ? otherHash : otherFile).push({
			name,
			version: version ?? ""
		});
	}
	return {
		same,
		notRecorded,
		otherHash,
		otherFile
	};
}
function compareOne(entries, others, target) {
	const [there, here] = [entries, others].map((of) => of.flatMap((one) => one.artefacts));
	if (there === void 0 || here === void 0) return null;
	const [before, after] = [groupBy(there, kind), groupBy(here, kind)];
	const kinds = [...before.keys()].filter((one) => after.has(one));
	if (kinds.length === 0) return null;
	if (contradicts(there, here) || alone$1(entries, here) || alone$1(others, there)) return "other hash";
	if (kinds.some((one) => crossed(before.get(one) ?? [], after.get(one) ?? []))) return "other hash";
	return kinds.filter((one) => {
		const [mine, theirs] = [before, after].map((side) => installable(side.get(one) ?? [], target));
		const known = new Set(theirs?.map(({ hash }) => hash));
		return (mine?.length ?? 0) + known.size > 0 && !mine?.some(({ hash }) => known.has(hash));
	}).length === 0 ? "same" : "other file";
}
function installable(artefacts, target) {
	const usable = artefacts.filter(({ file }) => file === null || target === null || fits(file, target));
	const wheels = usable.filter(({ file }) => file?.endsWith(".whl"));
	return target === null || wheels.length === 0 ? usable : wheels;
}
function crossed(there, here) {
	const [a, b] = [there, here].map((side) => new Set(side.flatMap(({ file, hash }) => file === null ? [hash] : [])));
	if (a === void 0 || b === void 0) return false;
	return [...a].some((hash) => !b.has(hash)) && [...b].some((hash) => !a.has(hash));
}
function alone$1(entries, others) {
	const known = new Set(others.map((one) => one.hash));
	const kinds = new Set(others.map(kind));
	return entries.some(({ artefacts }) => [...groupBy(artefacts.filter((one) => one.file === null && kinds.has(kind(one))), kind).values()].some((of) => !of.some(({ hash }) => known.has(hash))));
}
function contradicts(there, here) {
	const id = (one) => `${kind(one)} ${one.file}`;
	const known = groupBy(here.filter((one) => one.file !== null), id);
	return there.some((one) => {
		return (one.file === null ? void 0 : known.get(id(one)))?.every(({ hash }) => hash !== one.hash) ?? false;
	});
}
function kind({ hash }) {
	return /^[A-Za-z0-9]+(?=[:-])/.exec(hash)?.[0] ?? "";
}
// node_modules/diff/libesm/diff/base.js
var Diff = class {
	diff(oldStr, newStr, options = {}) {
		let callback;
		if (typeof options === "function") {
			callback = options;
			options = {};
		} else if ("callback" in options) callback = options.callback;
		const oldString = this.castInput(oldStr, options);
		const newString = this.castInput(newStr, options);
		const oldTokens = this.removeEmpty(this.tokenize(oldString, options));
		const newTokens = this.removeEmpty(this.tokenize(newString, options));
		return this.diffWithOptionsObj(oldTokens, newTokens, options, callback);
	}
	diffWithOptionsObj(oldTokens, newTokens, options, callback) {
		var _a;
		const done = (value) => {
			value = this.postProcess(value, options);
			if (callback) {
				setTimeout(function() {
					callback(value);
				}, 0);
				return;
			} else return value;
		};
		const newLen = newTokens.length, oldLen = oldTokens.length;
		let editLength = 1;
		let maxEditLength = newLen + oldLen;
		if (options.maxEditLength != null) maxEditLength = Math.min(maxEditLength, options.maxEditLength);
		const maxExecutionTime = (_a = options.timeout) !== null && _a !== void 0 ? _a : 1e400;
		const abortAfterTimestamp = Date.now() + maxExecutionTime;
		const bestPath = [{
			oldPos: -1,
			lastComponent: void 0
		}];
		let newPos = this.extractCommon(bestPath[0], newTokens, oldTokens, 0, options);
		if (bestPath[0].oldPos + 1 >= oldLen && newPos + 1 >= newLen) return done(this.buildValues(bestPath[0].lastComponent, newTokens, oldTokens));
		let minDiagonalToConsider = -1e400, maxDiagonalToConsider = 1e400;
		const execEditLength = () => {
			for (let diagonalPath = Math.max(minDiagonalToConsider, -editLength); diagonalPath <= Math.min(maxDiagonalToConsider, editLength); diagonalPath += 2) {
				let basePath;
				const removePath = bestPath[diagonalPath - 1], addPath = bestPath[diagonalPath + 1];
				if (removePath) bestPath[diagonalPath - 1] = void 0;
				let canAdd = false;
				if (addPath) {
					const addPathNewPos = addPath.oldPos - diagonalPath;
					canAdd = addPath && 0 <= addPathNewPos && addPathNewPos < newLen;
				}
				const canRemove = removePath && removePath.oldPos + 1 < oldLen;
				if (!canAdd && !canRemove) {
					bestPath[diagonalPath] = void 0;
					continue;
				}
				if (!canRemove || canAdd && removePath.oldPos < addPath.oldPos) basePath = this.addToPath(addPath, true, false, 0, options);
				else basePath = this.addToPath(removePath, false, true, 1, options);
				newPos = this.extractCommon(basePath, newTokens, oldTokens, diagonalPath, options);
				if (basePath.oldPos + 1 >= oldLen && newPos + 1 >= newLen) return done(this.buildValues(basePath.lastComponent, newTokens, oldTokens)) || true;
				else {
					bestPath[diagonalPath] = basePath;
					if (basePath.oldPos + 1 >= oldLen) maxDiagonalToConsider = Math.min(maxDiagonalToConsider, diagonalPath - 1);
					if (newPos + 1 >= newLen) minDiagonalToConsider = Math.max(minDiagonalToConsider, diagonalPath + 1);
				}
			}
			editLength++;
		};
		if (callback) (function exec() {
			setTimeout(function() {
				if (editLength > maxEditLength || Date.now() > abortAfterTimestamp) return callback(void 0);
				if (!execEditLength()) exec();
			}, 0);
		})();
		else while (editLength <= maxEditLength && Date.now() <= abortAfterTimestamp) {
			const ret = execEditLength();
			if (ret) return ret;
		}
	}
	addToPath(path, added, removed, oldPosInc, options) {
		const last = path.lastComponent;
		if (last && !options.oneChangePerToken && last.added === added && last.removed === removed) return {
			oldPos: path.oldPos + oldPosInc,
			lastComponent: {
				count: last.count + 1,
				added,
				removed,
				previousComponent: last.previousComponent
			}
		};
		else return {
			oldPos: path.oldPos + oldPosInc,
			lastComponent: {
				count: 1,
				added,
				removed,
				previousComponent: last
			}
		};
	}
	extractCommon(basePath, newTokens, oldTokens, diagonalPath, options) {
		const newLen = newTokens.length, oldLen = oldTokens.length;
		let oldPos = basePath.oldPos, newPos = oldPos - diagonalPath, commonCount = 0;
		while (newPos + 1 < newLen && oldPos + 1 < oldLen && this.equals(oldTokens[oldPos + 1], newTokens[newPos + 1], options)) {
			newPos++;
			oldPos++;
			commonCount++;
			if (options.oneChangePerToken) basePath.lastComponent = {
				count: 1,
				previousComponent: basePath.lastComponent,
				added: false,
				removed: false
			};
		}
		if (commonCount && !options.oneChangePerToken) basePath.lastComponent = {
			count: commonCount,
			previousComponent: basePath.lastComponent,
			added: false,
			removed: false
		};
		basePath.oldPos = oldPos;
		return newPos;
	}
	equals(left, right, options) {
		if (options.comparator) return options.comparator(left, right);
		else return left === right || !!options.ignoreCase && left.toLowerCase() === right.toLowerCase();
	}
	removeEmpty(array) {
		const ret = [];
		for (let i = 0; i < array.length; i++) if (array[i]) ret.push(array[i]);
		return ret;
	}
	castInput(value, options) {
		return value;
	}
	tokenize(value, options) {
		return Array.from(value);
	}
	join(chars) {
		return chars.join("");
	}
	postProcess(changeObjects, options) {
		return changeObjects;
	}
	get useLongestToken() {
		return false;
	}
	buildValues(lastComponent, newTokens, oldTokens) {
		const components = [];
		let nextComponent;
		while (lastComponent) {
			components.push(lastComponent);
			nextComponent = lastComponent.previousComponent;
			delete lastComponent.previousComponent;
			lastComponent = nextComponent;
		}
		components.reverse();
		const componentLen = components.length;
		let componentPos = 0, newPos = 0, oldPos = 0;
		for (; componentPos < componentLen; componentPos++) {
			const component = components[componentPos];
			if (!component.removed) {
				if (!component.added && this.useLongestToken) {
					let value = newTokens.slice(newPos, newPos + component.count);
					value = value.map(function(value, i) {
						const oldValue = oldTokens[oldPos + i];
						return oldValue.length > value.length ? oldValue : value;
					});
					component.value = this.join(value);
				} else component.value = this.join(newTokens.slice(newPos, newPos + component.count));
				newPos += component.count;
				if (!component.added) oldPos += component.count;
			} else {
				component.value = this.join(oldTokens.slice(oldPos, oldPos + component.count));
				oldPos += component.count;
			}
		}
		return components;
	}
};
// node_modules/diff/libesm/diff/character.js
var CharacterDiff = class extends Diff {};
new CharacterDiff();
// node_modules/diff/libesm/util/string.js
function longestCommonPrefix(str1, str2) {
	let i = 0;
	for (; i < str1.length && i < str2.length; i++) if (str1[i] != str2[i]) return str1.slice(0, i);
	return str1.slice(0, i);
}
function longestCommonSuffix(str1, str2) {
	let i;
	if (!str1 || !str2 || str1[str1.length - 1] != str2[str2.length - 1]) return "";
	for (i = 0; i < str1.length && i < str2.length; i++) if (str1[str1.length - (i + 1)] != str2[str2.length - (i + 1)]) return str1.slice(-i);
	return str1.slice(-i);
}
function replacePrefix(string, oldPrefix, newPrefix) {
	if (string.slice(0, oldPrefix.length) != oldPrefix) throw Error(`string ${JSON.stringify(string)} doesn't start with prefix ${JSON.stringify(oldPrefix)}; this is a bug`);
	return newPrefix + string.slice(oldPrefix.length);
}
function replaceSuffix(string, oldSuffix, newSuffix) {
	if (!oldSuffix) return string + newSuffix;
	if (string.slice(-oldSuffix.length) != oldSuffix) throw Error(`string ${JSON.stringify(string)} doesn't end with suffix ${JSON.stringify(oldSuffix)}; this is a bug`);
	return string.slice(0, -oldSuffix.length) + newSuffix;
}
function removePrefix(string, oldPrefix) {
	return replacePrefix(string, oldPrefix, "");
}
function removeSuffix(string, oldSuffix) {
	return replaceSuffix(string, oldSuffix, "");
}
function maximumOverlap(string1, string2) {
	return string2.slice(0, overlapCount(string1, string2));
}
function overlapCount(a, b) {
	let startA = 0;
	if (a.length > b.length) startA = a.length - b.length;
	let endB = b.length;
	if (a.length < b.length) endB = a.length;
	const map = Array(endB);
	let k = 0;
	map[0] = 0;
	for (let j = 1; j < endB; j++) {
		if (b[j] == b[k]) map[j] = map[k];
		else map[j] = k;
		while (k > 0 && b[j] != b[k]) k = map[k];
		if (b[j] == b[k]) k++;
	}
	k = 0;
	for (let i = startA; i < a.length; i++) {
		while (k > 0 && a[i] != b[k]) k = map[k];
		if (a[i] == b[k]) k++;
	}
	return k;
}
function segment(string, segmenter) {
	const parts = [];
	for (const segmentObj of Array.from(segmenter.segment(string))) {
		const segment = segmentObj.segment;
		if (parts.length && /\s/.test(parts[parts.length - 1]) && /\s/.test(segment)) parts[parts.length - 1] += segment;
		else parts.push(segment);
	}
	return parts;
}
function trailingWs(string, segmenter) {
	if (segmenter) return leadingAndTrailingWs(string, segmenter)[1];
	let i;
	for (i = string.length - 1; i >= 0; i--) if (!string[i].match(/\s/)) break;
	return string.substring(i + 1);
}
function leadingWs(string, segmenter) {
	if (segmenter) return leadingAndTrailingWs(string, segmenter)[0];
	const match = string.match(/^\s*/);
	return match ? match[0] : "";
}
function leadingAndTrailingWs(string, segmenter) {
	if (!segmenter) return [leadingWs(string), trailingWs(string)];
	if (segmenter.resolvedOptions().granularity != "word") throw new Error("The segmenter passed must have a granularity of \"word\"");
	const segments = segment(string, segmenter);
	const firstSeg = segments[0];
	const lastSeg = segments[segments.length - 1];
	return [/\s/.test(firstSeg) ? firstSeg : "", /\s/.test(lastSeg) ? lastSeg : ""];
}
// node_modules/diff/libesm/diff/word.js
const extendedWordChars = "a-zA-Z0-9_\\u{AD}\\u{C0}-\\u{D6}\\u{D8}-\\u{F6}\\u{F8}-\\u{2C6}\\u{2C8}-\\u{2D7}\\u{2DE}-\\u{2FF}\\u{1E00}-\\u{1EFF}";
const tokenizeIncludingWhitespace = new RegExp(`[${extendedWordChars}]+|\\s+|[^${extendedWordChars}]`, "ug");
var WordDiff = class extends Diff {
	equals(left, right, options) {
		if (options.ignoreCase) {
			left = left.toLowerCase();
			right = right.toLowerCase();
		}
		return left.trim() === right.trim();
	}
	tokenize(value, options = {}) {
		let parts;
		if (options.intlSegmenter) {
			const segmenter = options.intlSegmenter;
			if (segmenter.resolvedOptions().granularity != "word") throw new Error("The segmenter passed must have a granularity of \"word\"");
			parts = segment(value, segmenter);
		} else parts = value.match(tokenizeIncludingWhitespace) || [];
		const tokens = [];
		let prevPart = null;
		parts.forEach((part) => {
			if (/\s/.test(part)) {
				if (prevPart == null) tokens.push(part);
				else tokens.push(tokens.pop() + part);
			} else if (prevPart != null && /\s/.test(prevPart)) {
				if (tokens[tokens.length - 1] == prevPart) tokens.push(tokens.pop() + part);
				else tokens.push(prevPart + part);
			} else tokens.push(part);
			prevPart = part;
		});
		return tokens;
	}
	join(tokens) {
		return tokens.map((token, i) => {
			if (i == 0) return token;
			else return token.replace(/^\s+/, "");
		}).join("");
	}
	postProcess(changes, options) {
		if (!changes || options.oneChangePerToken) return changes;
		let lastKeep = null;
		let insertion = null;
		let deletion = null;
		changes.forEach((change) => {
			if (change.added) insertion = change;
			else if (change.removed) deletion = change;
			else {
				if (insertion || deletion) dedupeWhitespaceInChangeObjects(lastKeep, deletion, insertion, change, options.intlSegmenter);
				lastKeep = change;
				insertion = null;
				deletion = null;
			}
		});
		if (insertion || deletion) dedupeWhitespaceInChangeObjects(lastKeep, deletion, insertion, null, options.intlSegmenter);
		return changes;
	}
};
new WordDiff();
function dedupeWhitespaceInChangeObjects(startKeep, deletion, insertion, endKeep, segmenter) {
	if (deletion && insertion) {
		const [oldWsPrefix, oldWsSuffix] = leadingAndTrailingWs(deletion.value, segmenter);
		const [newWsPrefix, newWsSuffix] = leadingAndTrailingWs(insertion.value, segmenter);
		if (startKeep) {
			const commonWsPrefix = longestCommonPrefix(oldWsPrefix, newWsPrefix);
			startKeep.value = replaceSuffix(startKeep.value, newWsPrefix, commonWsPrefix);
			deletion.value = removePrefix(deletion.value, commonWsPrefix);
			insertion.value = removePrefix(insertion.value, commonWsPrefix);
		}
		if (endKeep) {
			const commonWsSuffix = longestCommonSuffix(oldWsSuffix, newWsSuffix);
			endKeep.value = replacePrefix(endKeep.value, newWsSuffix, commonWsSuffix);
			deletion.value = removeSuffix(deletion.value, commonWsSuffix);
			insertion.value = removeSuffix(insertion.value, commonWsSuffix);
		}
	} else if (insertion) {
		if (startKeep) {
			const ws = leadingWs(insertion.value, segmenter);
			insertion.value = insertion.value.substring(ws.length);
		}
		if (endKeep) {
			const ws = leadingWs(endKeep.value, segmenter);
			endKeep.value = endKeep.value.substring(ws.length);
		}
	} else if (startKeep && endKeep) {
		const newWsFull = leadingWs(endKeep.value, segmenter), [delWsStart, delWsEnd] = leadingAndTrailingWs(deletion.value, segmenter);
		const newWsStart = longestCommonPrefix(newWsFull, delWsStart);
		deletion.value = removePrefix(deletion.value, newWsStart);
		const newWsEnd = longestCommonSuffix(removePrefix(newWsFull, newWsStart), delWsEnd);
		deletion.value = removeSuffix(deletion.value, newWsEnd);
		endKeep.value = replacePrefix(endKeep.value, newWsFull, newWsEnd);
		startKeep.value = replaceSuffix(startKeep.value, newWsFull, newWsFull.slice(0, newWsFull.length - newWsEnd.length));
	} else if (endKeep) {
		const endKeepWsPrefix = leadingWs(endKeep.value, segmenter);
		const overlap = maximumOverlap(trailingWs(deletion.value, segmenter), endKeepWsPrefix);
		deletion.value = removeSuffix(deletion.value, overlap);
	} else if (startKeep) {
		const overlap = maximumOverlap(trailingWs(startKeep.value, segmenter), leadingWs(deletion.value, segmenter));
		deletion.value = removePrefix(deletion.value, overlap);
	}
}
var WordsWithSpaceDiff = class extends Diff {
	tokenize(value) {
		const regex = new RegExp(`(\\r?\\n)|[${extendedWordChars}]+|[^\\S\\n\\r]+|[^${extendedWordChars}]`, "ug");
		return value.match(regex) || [];
	}
};
new WordsWithSpaceDiff();
// node_modules/diff/libesm/diff/line.js
var LineDiff = class extends Diff {
	constructor() {
		super(...arguments);
		this.tokenize = tokenize;
	}
	equals(left, right, options) {
		if (options.ignoreWhitespace) {
			if (!options.newlineIsToken || !left.includes("\n")) left = left.trim();
			if (!options.newlineIsToken || !right.includes("\n")) right = right.trim();
		} else if (options.ignoreNewlineAtEof && !options.newlineIsToken) {
			if (left.endsWith("\n")) left = left.slice(0, -1);
			if (right.endsWith("\n")) right = right.slice(0, -1);
		}
		return super.equals(left, right, options);
	}
};
const lineDiff = new LineDiff();
function diffLines$1(oldStr, newStr, options) {
	return lineDiff.diff(oldStr, newStr, options);
}
function tokenize(value, options) {
	if (options.stripTrailingCr) value = value.replace(/\r\n/g, "\n");
	const retLines = [], linesAndNewlines = value.split(/(\n|\r\n)/);
	if (!linesAndNewlines[linesAndNewlines.length - 1]) linesAndNewlines.pop();
	for (let i = 0; i < linesAndNewlines.length; i++) {
		const line = linesAndNewlines[i];
		if (i % 2 && !options.newlineIsToken) retLines[retLines.length - 1] += line;
		else retLines.push(line);
	}
	return retLines;
}
// node_modules/diff/libesm/diff/sentence.js
function isSentenceEndPunct(char) {
	return char == "." || char == "!" || char == "?";
}
var SentenceDiff = class extends Diff {
	tokenize(value) {
		var _a;
		const result = [];
		let tokenStartI = 0;
		for (let i = 0; i < value.length; i++) {
			if (i == value.length - 1) {
				result.push(value.slice(tokenStartI));
				break;
			}
			if (isSentenceEndPunct(value[i]) && value[i + 1].match(/\s/)) {
				result.push(value.slice(tokenStartI, i + 1));
				i = tokenStartI = i + 1;
				while ((_a = value[i + 1]) === null || _a === void 0 ? void 0 : _a.match(/\s/)) i++;
				result.push(value.slice(tokenStartI, i + 1));
				tokenStartI = i + 1;
			}
		}
		return result;
	}
};
new SentenceDiff();
// node_modules/diff/libesm/diff/css.js
var CssDiff = class extends Diff {
	tokenize(value) {
		return value.split(/([{}:;,]|\s+)/);
	}
};
new CssDiff();
// node_modules/diff/libesm/diff/json.js
var JsonDiff = class extends Diff {
	constructor() {
		super(...arguments);
		this.tokenize = tokenize;
	}
	get useLongestToken() {
		return true;
	}
	castInput(value, options) {
		const { undefinedReplacement, stringifyReplacer = (k, v) => typeof v === "undefined" ? undefinedReplacement : v } = options;
		return typeof value === "string" ? value : JSON.stringify(canonicalize(value, null, null, stringifyReplacer), null, "  ");
	}
	equals(left, right, options) {
		return super.equals(left.replace(/,([\r\n])/g, "$1"), right.replace(/,([\r\n])/g, "$1"), options);
	}
};
new JsonDiff();
function canonicalize(obj, stack, replacementStack, replacer, key) {
	stack = stack || [];
	replacementStack = replacementStack || [];
	if (replacer) obj = replacer(key === void 0 ? "" : key, obj);
	let i = 0;
	for (; i < stack.length; i += 1) if (stack[i] === obj) return replacementStack[i];
	let canonicalizedObj;
	if ("[object Array]" === Object.prototype.toString.call(obj)) {
		stack.push(obj);
		canonicalizedObj = new Array(obj.length);
		replacementStack.push(canonicalizedObj);
		for (i = 0; i < obj.length; i += 1) canonicalizedObj[i] = canonicalize(obj[i], stack, replacementStack, replacer, String(i));
		stack.pop();
		replacementStack.pop();
		return canonicalizedObj;
	}
	if (obj && obj.toJSON) obj = obj.toJSON();
	if (typeof obj === "object" && obj !== null) {
		stack.push(obj);
		canonicalizedObj = {};
		replacementStack.push(canonicalizedObj);
		const sortedKeys = [];
		let key;
		for (key in obj) if (Object.prototype.hasOwnProperty.call(obj, key)) sortedKeys.push(key);
		sortedKeys.sort();
		for (i = 0; i < sortedKeys.length; i += 1) {
			key = sortedKeys[i];
			canonicalizedObj[key] = canonicalize(obj[key], stack, replacementStack, replacer, key);
		}
		stack.pop();
		replacementStack.pop();
	} else canonicalizedObj = obj;
	return canonicalizedObj;
}
// node_modules/diff/libesm/diff/array.js
var ArrayDiff = class extends Diff {
	tokenize(value) {
		return value.slice();
	}
	join(value) {
		return value;
	}
	removeEmpty(value) {
		return value;
	}
};
new ArrayDiff();
// node_modules/diff/libesm/patch/create.js
function structuredPatch(oldFileName, newFileName, oldStr, newStr, oldHeader, newHeader, options) {
	let optionsObj;
	if (!options) optionsObj = {};
	else if (typeof options === "function") optionsObj = { callback: options };
	else optionsObj = options;
	if (typeof optionsObj.context === "undefined") optionsObj.context = 4;
	const context = optionsObj.context;
	if (optionsObj.newlineIsToken) throw new Error("newlineIsToken may not be used with patch-generation functions, only with diffing functions");
	if (!optionsObj.callback) return diffLinesResultToPatch(diffLines$1(oldStr, newStr, optionsObj));
	else {
		const { callback } = optionsObj;
		diffLines$1(oldStr, newStr, Object.assign(Object.assign({}, optionsObj), { callback: (diff) => {
			const patch = diffLinesResultToPatch(diff);
			callback(patch);
		} }));
	}
	function diffLinesResultToPatch(diff) {
		if (!diff) return;
		diff.push({
			value: "",
			lines: []
		});
		function contextLines(lines) {
			return lines.map(function(entry) {
				return " " + entry;
			});
		}
		const hunks = [];
		let oldRangeStart = 0, newRangeStart = 0, curRange = [], oldLine = 1, newLine = 1;
		for (let i = 0; i < diff.length; i++) {
			const current = diff[i], lines = current.lines || splitLines(current.value);
			current.lines = lines;
			if (current.added || current.removed) {
				if (!oldRangeStart) {
					const prev = diff[i - 1];
					oldRangeStart = oldLine;
					newRangeStart = newLine;
					if (prev) {
						curRange = context > 0 ? contextLines(prev.lines.slice(-context)) : [];
						oldRangeStart -= curRange.length;
						newRangeStart -= curRange.length;
					}
				}
				for (const line of lines) curRange.push((current.added ? "+" : "-") + line);
				if (current.added) newLine += lines.length;
				else oldLine += lines.length;
			} else {
				if (oldRangeStart) {
					if (lines.length <= context * 2 && i < diff.length - 2) for (const line of contextLines(lines)) curRange.push(line);
					else {
						const contextSize = Math.min(lines.length, context);
						for (const line of contextLines(lines.slice(0, contextSize))) curRange.push(line);
						const hunk = {
							oldStart: oldRangeStart,
							oldLines: oldLine - oldRangeStart + contextSize,
							newStart: newRangeStart,
							newLines: newLine - newRangeStart + contextSize,
							lines: curRange
						};
						hunks.push(hunk);
						oldRangeStart = 0;
						newRangeStart = 0;
						curRange = [];
					}
				}
				oldLine += lines.length;
				newLine += lines.length;
			}
		}
		for (const hunk of hunks) for (let i = 0; i < hunk.lines.length; i++) if (hunk.lines[i].endsWith("\n")) hunk.lines[i] = hunk.lines[i].slice(0, -1);
		else {
			hunk.lines.splice(i + 1, 0, "\\ No newline at end of file");
			i++;
		}
		return {
			oldFileName,
			newFileName,
			oldHeader,
			newHeader,
			hunks
		};
	}
}
function splitLines(text) {
	const hasTrailingNl = text.endsWith("\n");
	const result = text.split("\n").map((line) => line + "\n");
	if (hasTrailingNl) result.pop();
	else result.push(result.pop().slice(0, -1));
	return result;
}
// src/compare/text-diff.ts
const MOST = 1e3;
function diffLines(from, to) {
	if (differing(from, to) > MOST) return null;
	const text = (lines) => lines.length === 0 ? "" : `${lines.join("\n")}\n`;
	const lines = structuredPatch("", "", text(from), text(to), "", "", {
		context: 0,
		maxEditLength: MOST,
		timeout: 500
	})?.hunks.flatMap((hunk) => hunk.lines.filter((line) => !line.startsWith("\\"))) ?? [];
	return lines.length === 0 ? null : lines.join("\n");
}
function differing(from, to) {
	const counts = new Map();
	for (const line of from) counts.set(line, (counts.get(line) ?? 0) + 1);
	for (const line of to) counts.set(line, (counts.get(line) ?? 0) - 1);
	let sum = 0;
	for (const count of counts.values()) sum += Math.abs(count);
	return sum;
}
// src/compare/lockfiles.ts
const KEPT = 50;
function compareLockfiles(scratch, repository, ci = null, ignored = []) {
	const [first] = repository;
	if (scratch.locks.length === 0) return first === void 0 ? [] : [without("missing", null, first)];
	return scratch.locks.flatMap((copy) => {
		if (copy.none) return first === void 0 ? [] : [without("none", copy.file, first)];
		const partner = partnerOf(copy, repository);
		return [partner === null ? alone(copy, ignored) : compareTwo(copy, partner, targetOf(ci))];
	});
}
function partnerOf(copy, repository) {
	const named = repository.find(({ path }) => path === copy.path?.replace(/^(?:\.\/)+/, ""));
	if (named !== void 0 || copy.path !== null) return named ?? null;
	const equal = repository.find(({ bytes }) => sameBytes(bytes, copy.bytes));
	const format = formatByContent(decodeText(copy.bytes).text);
	return equal ?? repository.find(({ path }) => format !== null && formatsByName(path).includes(format)) ?? (format === null ? repository[0] ?? null : null);
}
function compareTwo(copy, lockfile, target) {
	const identical = sameBytes(copy.bytes, lockfile.bytes);
	const there = readLockfile(copy.bytes, copy.path ?? lockfile.path);
	const here = identical ? there : readLockfile(lockfile.bytes, lockfile.path);
	const format = there.format === here.format ? there.format : null;
	const base = {
		...NOTHING$1,
		path: lockfile.path,
		file: copy.file,
		format: (format ?? here.format)?.id ?? null,
		scratch: "copy",
		identical,
		packages: {
			scratch: count(there),
			repository: count(here)
		},
		own: ownIn(there),
		install: installCommandOf(here, lockfile.path),
		changedHere: lockfile.changedHere,
		weak: weakOf(here)
	};
	if (identical) {
		const { why = null, line = null } = there.problem ?? {};
		return {
			...base,
			compared: "same",
			why: why === null ? null : `the bytes are equal, and the copy ${why}`,
			line
		};
	}
	if (there.list === null || here.list === null || format === null) return {
		...base,
		compared: "could not compare",
		why: whyNot$1(there, here, lockfile.path),
		line: there.problem?.line ?? null,
		diff: textDiff(copy, lockfile)
	};
	const lists = compareLists(there.list, here.list, target);
	return {
		...base,
		...lists,
		diff: lists.compared === "same" ? textDiff(copy, lockfile) : null
	};
}
function whyNot$1(there, here, path) {
	if (there.problem !== null) return `the copy ${there.problem.why}`;
	if (here.problem !== null) return `${path} of the commit under review ${here.problem.why}`;
	return "this format is not read package by package";
}
function textDiff(copy, lockfile) {
	return diffLines(linesOf(copy.bytes), linesOf(lockfile.bytes));
}
function linesOf(bytes) {
	return decodeText(bytes).text.split(/\r?\n/).flatMap((line) => line === "" ? [] : [clip(withoutCredentials(line), 300)]);
}
function compareLists(there, here, target) {
	const difference = differenceOf(there.ecosystem, there.packages, here.packages);
	const artefacts = compareArtefacts(there, here, target);
	const notRead = [...clipEntries(there.notRead, KEPT).map((entry) => ({
		side: "scratch",
		...entry
	})), ...clipEntries(here.notRead, KEPT).map((entry) => ({
		side: "repository",
		...entry
	}))];
	const differ = differing$1(difference) + artefacts.otherHash.length + artefacts.otherFile.length > 0;
	return {
		...difference,
		artefacts,
		notRead,
		compared: differ ? "differs" : notRead.length > 0 ? "could not compare" : "same",
		why: !differ && notRead.length > 0 ? "the packages that were understood are the same; some entries were not understood" : null
	};
}
function count({ list }) {
	return list === null ? null : countPackages(list.ecosystem, list.packages);
}
function ownIn({ list }) {
	const own = list?.packages.filter((one) => one.local) ?? [];
	return countPackages(list?.ecosystem ?? null, own);
}
function weakOf({ format, list }) {
	if (format?.weak !== void 0) return format.weak;
	if (format?.id !== "requirements" || list === null) return null;
	const open = list.packages.filter((one) => !isPinned(one)).length;
	return open === 0 ? null : `${open} of its ${list.packages.length} entries ${open === 1 ? "names" : "name"} no exact version`;
}
function alone(copy, ignored) {
	const there = readLockfile(copy.bytes, copy.path);
	return {
		...NOTHING$1,
		path: copy.path ?? copy.file,
		file: copy.file,
		format: there.format?.id ?? null,
		scratch: "copy",
		why: copy.path === null || lockfilePaths([copy.path]).length > 0 ? "the commit under review has no such lockfile" : "it was not looked for: its name is none that is known. Name it with `lockfile`",
		ignored: copy.path !== null && ignored.includes(copy.path),
		packages: {
			scratch: count(there),
			repository: null
		},
		own: ownIn(there)
	};
}
function without(scratch, file, lockfile) {
	const here = readLockfile(lockfile.bytes, lockfile.path);
	return {
		...NOTHING$1,
		path: lockfile.path,
		file,
		format: here.format?.id ?? null,
		scratch,
		packages: {
			scratch: null,
			repository: count(here)
		},
		install: installCommandOf(here, lockfile.path),
		changedHere: lockfile.changedHere,
		weak: weakOf(here)
	};
}
const NOTHING$1 = {
	path: "",
	file: null,
	format: null,
	scratch: "missing",
	identical: null,
	compared: "could not compare",
	why: null,
	line: null,
	packages: {
		scratch: null,
		repository: null
	},
	own: 0,
	added: [],
	removed: [],
	changed: [],
	artefacts: null,
	notRead: [],
	diff: null,
	install: null,
	ignored: false,
	changedHere: null,
	weak: null
};
function sameBytes(a, b) {
	return Buffer.compare(a, b) === 0;
}
// src/compare/signals.ts
const SAME_TIMES = 10;
const NO_TIMES = 5;
const DISTINCT = 20;
const SLACK = 6e4;
const ZONES = 504e5;
function readSignals(scratch, ci) {
	return {
		scratch: signalsOf(scratch),
		ci: signalsOf(ci),
		copied: copied(scratch?.tests ?? null, ci.tests)
	};
}
function signalsOf(evidence) {
	const report = evidence?.tests ?? null;
	const executed = report?.cases.filter(({ status }) => status !== "skipped") ?? [];
	return {
		sameTime: sameTime(executed),
		noTime: report?.suiteSeconds === 0 && executed.every(({ seconds }) => seconds === 0) ? atLeast(executed) : null,
		cachedPackages: evidence?.run?.cached || null,
		cachedCases: report?.cachedCases || null,
		outside: evidence === null || report === null ? null : outside(evidence, report),
		otherHosts: evidence === null || report === null ? [] : otherHosts(evidence, report),
		hollow: report?.hollow ?? [],
		notWritten: report === null ? evidence?.run?.missingJUnit[0] ?? null : null
	};
}
function atLeast(cases) {
	return cases.length >= NO_TIMES ? cases.length : null;
}
function sameTime(executed) {
	const [first] = executed;
	if (!first?.seconds || executed.length < SAME_TIMES) return null;
	return executed.every(({ seconds }) => seconds === first.seconds) ? {
		seconds: first.seconds,
		cases: executed.length
	} : null;
}
function outside({ run }, report) {
	const started = momentOf(run?.started ?? void 0);
	const finished = [run?.finished, ...(run?.others ?? []).map((other) => other.finished)].flatMap((end) => momentOf(end ?? void 0) ?? []).at(-1) ?? null;
	if (started === null) return null;
	const isOutside = ({ at, zoned }) => {
		const slack = SLACK + (zoned ? 0 : ZONES);
		return at < started.at - slack || finished !== null && at > finished.at + slack;
	};
	const stamp = report.moments.find(isOutside);
	return stamp === void 0 ? null : {
		stamp: stamp.text,
		started: started.text,
		finished: finished?.text ?? null
	};
}
function otherHosts({ toolchain }, { hosts }) {
	const host = toolchain?.facts.get("host")?.value;
	if (host === void 0) return [];
	return hosts.some((name) => isHost(name, host)) ? [] : hosts;
}
function isHost(name, recorded) {
	const short = (host) => host.toLowerCase().split(".", 1)[0] ?? "";
	return short(name) === short(recorded) || digest(short(name)) === recorded;
}
function digest(name) {
	return createHash("sha256").update(name).digest("hex").slice(0, 16);
}
function copied(scratch, ci) {
	if (scratch === null || ci === null) return null;
	const same = scratch.digests.filter(({ digest: mine }) => ci.digests.some(({ digest: theirs }) => mine === theirs));
	if (same.length > 0) return {
		files: same.map(({ file }) => file),
		times: null,
		moment: null
	};
	const distinct = new Set(scratch.cases.map(({ seconds }) => seconds)).size;
	const times = scratch.cases.length;
	if (times === ci.cases.length && scratch.cases.every((one, at) => isSame(one, ci.cases[at])) && distinct >= DISTINCT) return {
		files: [],
		times,
		moment: null
	};
	const fine = scratch.moments.find(({ text }) => /:\d\d[.,]\d{3}/.test(text) && ci.moments.some((one) => one.text === text));
	return fine === void 0 ? null : {
		files: [],
		times: null,
		moment: fine.text
	};
}
function isSame(one, other) {
	return one.name === other?.name && one.scope === other.scope && one.seconds === other.seconds;
}
// src/read/known-scripts.ts
const KNOWN_SCRIPTS = new Set(Object.values({ "1.0.0": "75b1954d0127b8ed3efa633ccf57e2b6373515ed9dcdfd653ad42fd1d6b2be10" }));
// src/compare/file-kind.ts
const KINDS = [
	["workflow", /^(?:\.github\/(?:workflows|actions)\/|\.gitlab-ci\.yml$|\.circleci\/|azure-pipelines\.yml$|Jenkinsfile$)/],
	["capture script", /(?:^|\/)capture_run\.sh$/],
	["test configuration", /(?:^|\/)(?:conftest\.py|\.?pytest\.(?:ini|toml)|noxfile\.py|\.coveragerc|(?:jest|vitest|playwright|cypress|karma|ava|wdio|nightwatch|web-test-runner)\.(?:config|conf|workspace|setup)[\w.]*\.(?:[cm]?[jt]s|json)|vitest\.workspace\.json|\.mocharc[\w.]*|\.nycrc[\w.]*|\.c8rc[\w.]*|\.taprc|phpunit\.xml(?:\.dist)?|\.rspec|spec_helper\.rb|rails_helper\.rb|test_helper\.(?:rb|exs)|testng\.xml|junit-platform\.properties|\.runsettings|cypress\.json)$/],
	["test configuration", /^\.(?:config\/nextest\.toml|cargo\/config(?:\.toml)?)$/],
	["tests", /(?:^|\/)(?:tests?|specs?|__tests__|__snapshots__|__mocks__|testing|testdata|test-data|fixtures|e2e|features)\//i],
	["tests", /(?:^|\/)(?:test_[^/]*\.py|[^/]*[_.-](?:test|tests|spec|snap)\.[A-Za-z0-9]+|[^/]*\.(?:test|spec)\.[A-Za-z0-9.]+|[^/]*(?:Test|Tests|TestCase|Spec|IT)\.(?:java|kt|kts|groovy|scala|cs|fs|vb|php|swift)|[^/]*\.snap)$/],
	["documentation", /(?:\.(?:md|mdx|markdown|rst|adoc|asciidoc)|(?:^|\/)(?:LICEN[CS]E|COPYING|NOTICE|CHANGELOG|CHANGES|CONTRIBUTING|AUTHORS|README|CODEOWNERS|HISTORY)(?:\.txt)?)$/i],
	["documentation", /^docs?\/.*\.(?:txt|png|svg|jpe?g|gif|html|css|pdf)$/i]
];
const LOCKFILES = new Set(LOCKFILE_NAMES.map((name) => posix.basename(name)));
function fileKind(path, testParts = []) {
	if (testParts.includes(path)) return "test configuration";
	if (LOCKFILES.has(posix.basename(path))) return "lockfile";
	return KINDS.find(([, pattern]) => pattern.test(path))?.[0] ?? "source";
}
// src/compare/source.ts
function compareSources(scratch, ci, review) {
	const there = scratch?.run?.source ?? null;
	const here = ci.run?.source ?? null;
	const scratchTree = there?.tree ?? null;
	const { headTree } = review;
	const ciTree = here?.tree ?? review.checkoutTree;
	const trees = [headTree, review.merged === null ? null : review.checkoutTree].filter((tree) => tree !== null);
	const onlyBundles = review.otherBundles.length > 0 && review.sinceCapture?.length === 0;
	const testParts = review.change?.testParts ?? [];
	const changed = (changes) => changes?.map((one) => ({
		...one,
		kind: fileKind(one.path, testParts),
		cause: causeOf$1(one, there)
	})) ?? null;
	return {
		scratchTree,
		headTree,
		ciTree,
		same: scratchTree === null || trees.length === 0 ? null : trees.includes(scratchTree) || onlyBundles,
		otherBundles: review.otherBundles,
		changed: changed(review.sinceCapture),
		afterBundle: changed(review.afterBundle),
		bundleBrought: review.change?.bundle ?? null,
		judgeFiles: judgeFiles(review, ci),
		script: scriptOf(scratch),
		ciDirt: ciDirt(here, review),
		submodules: submodulesOf(there, here),
		lfsPointers: {
			scratch: there?.lfsPointers ?? null,
			ci: here?.lfsPointers ?? null
		},
		filtered: there?.filtered ?? 0,
		ignored: there?.ignored ?? null,
		excluded: (there?.excluded ?? []).map((path) => ({
			path,
			kind: fileKind(path)
		})),
		lineEndings: lineEndingsOf(there, here),
		changedByRun: {
			scratch: changedByRun(there),
			ci: changedByRun(here)
		}
	};
}
function causeOf$1({ path, how, oid }, there) {
	if (there === null) return null;
	if (there.hiddenPaths.includes(path)) return how === "added" ? "not on disk" : "hidden";
	if (how === "removed" && there.untracked.includes(path)) return "never committed";
	if (how === "removed" && there.removed.includes(path)) return "removal was staged";
	const after = there.after.find((one) => one.path === path);
	return after !== void 0 && after.oid === oid ? "written by the run" : null;
}
function judgeFiles({ change }, ci) {
	if (change === null) return null;
	const named = namedFiles(ci);
	return change.files.flatMap((file) => {
		const kind = fileKind(file.path, change.testParts);
		if (JUDGE.has(kind)) return [{
			...file,
			kind
		}];
		return named.has(file.path) ? [{
			...file,
			kind: "command"
		}] : [];
	});
}
const JUDGE = new Set([
	"workflow",
	"test configuration",
	"lockfile",
	"capture script"
]);
function namedFiles({ run }) {
	const words = run?.command?.split(/[\s;&|()'"=]+/).filter(Boolean) ?? [];
	const cwd = run?.cwd ?? ".";
	const named = words.map((word) => posix.normalize(posix.join(cwd, word)));
	const files = (tool, ...names) => words.some((word) => posix.basename(word) === tool) ? names.map((name) => posix.normalize(posix.join(cwd, name))) : [];
	return new Set([
		...named,
		...files("make", "Makefile", "makefile", "GNUmakefile"),
		...files("just", "justfile", "Justfile"),
		...files("task", "Taskfile.yml", "Taskfile.yaml"),
		...files("rake", "Rakefile"),
		...files("tox", "tox.ini"),
		...files("nox", "noxfile.py")
	]);
}
function scriptOf(scratch) {
	if (scratch === null || scratch.run === null) return null;
	const { script } = scratch.run;
	return script === null ? "not recorded" : KNOWN_SCRIPTS.has(script) ? "published" : "other";
}
function ciDirt(here, { checkoutTree }) {
	if (here === null || here.tree === null || here.dirty === null) return null;
	return !here.dirty || here.tree === checkoutTree ? [] : here.changes.map(({ path }) => path);
}
function submodulesOf(there, here) {
	if (there === null) return [];
	return there.submodules.flatMap(({ path, state }) => {
		const ci = here?.submodules.find((one) => one.path === path)?.state ?? null;
		return state === "clean" && (ci === null || ci === state) ? [] : [{
			path,
			scratch: state,
			ci
		}];
	});
}
function lineEndingsOf(there, here) {
	const settings = (source) => [...converts(source.lineEndings.autocrlf) ? [`core.autocrlf=${source.lineEndings.autocrlf}`] : [], ...source.lineEndings.eol === "crlf" ? ["core.eol=crlf"] : []].join(", ");
	if (there?.tree == null || here?.tree == null) return null;
	const [scratch, ci] = [settings(there), settings(here)];
	return scratch === ci ? null : {
		scratch,
		ci
	};
}
function converts(autocrlf) {
	return autocrlf === "true" || autocrlf === "1" || autocrlf === "yes" || autocrlf === "on";
}
function changedByRun(source) {
	if (source === null) return [];
	return source.after.filter(({ how, path }) => how !== "added" && !source.untracked.includes(path)).map(({ path }) => path);
}
// src/compare/match.ts
function matchCases(scratch, ci, folders = {
	scratch: ".",
	ci: "."
}) {
	const places = {
		pairs: [],
		onlyScratch: [],
		onlyCi: [],
		repeats: {
			scratch: [],
			ci: []
		}
	};
	if (areInStep(scratch, ci)) {
		for (let at = 0; at < scratch.length; at++) places.pairs.push({
			scratch: scratch[at],
			ci: ci[at]
		});
		return places;
	}
	const index = new Index();
	const { cases: firsts } = index;
	const partners = [];
	const several = new Map();
	const listsAt = (position) => {
		const known = several.get(position);
		if (known !== void 0) return known;
		const [there, here] = [firsts[position], partners[position]];
		const lists = {
			there: there ? [there] : [],
			here: here ? [here] : []
		};
		several.set(position, lists);
		return lists;
	};
	for (const one of scratch) {
		const position = index.add(one);
		if (firsts[position] !== one) listsAt(position).there.push(one);
	}
	for (const one of ci) {
		const position = index.find(one);
		if (position === void 0) places.onlyCi.push(one);
		else if (several.has(position) || partners[position] !== void 0) listsAt(position).here.push(one);
		else partners[position] = one;
	}
	for (let position = 0; position < firsts.length; position++) {
		const one = firsts[position];
		const here = partners[position];
		const lists = several.get(position);
		if (lists !== void 0 && lists.here.length > 0) matchSeveral(lists.there, lists.here, places);
		else if (lists !== void 0) append(places.onlyScratch, lists.there);
		else if (here === void 0) places.onlyScratch.push(one);
		else places.pairs.push({
			scratch: one,
			ci: here
		});
	}
	matchLeft(places, placeless, placeless);
	if (folders.scratch !== folders.ci) matchLeft(places, inFolder(folders.scratch), inFolder(folders.ci));
	return withTheWhole(places, scratch, ci);
}
function areInStep(scratch, ci) {
	return scratch.length === ci.length && scratch.every((one, at) => {
		const other = ci[at];
		return one.status === other?.status && one.name === other.name && one.scope === other.scope;
	});
}
function matchLeft(places, keyThere, keyHere) {
	if (places.onlyScratch.length === 0 || places.onlyCi.length === 0) return;
	const there = groupBy(places.onlyScratch, keyThere);
	const paired = new Set();
	for (const [key, here] of groupBy(places.onlyCi, keyHere)) {
		const mine = there.get(key);
		if (mine === void 0) continue;
		matchAlike(mine, here, places);
		for (const one of [...mine, ...here]) paired.add(one);
	}
	if (paired.size === 0) return;
	places.onlyScratch = places.onlyScratch.filter((one) => !paired.has(one));
	places.onlyCi = places.onlyCi.filter((one) => !paired.has(one));
}
const ABSOLUTE_PATH = /(?<![\w.~/\\])(?:file:\/\/)?(?:[A-Za-z]:)?(?:[\\/][^\\/\s[\](){},;:'"<>|]+){2,}/g;
function placeless(one) {
	if (!/[\\/]/.test(one.name)) return caseId(one);
	return caseId({
		...one,
		name: one.name.replace(ABSOLUTE_PATH, (path) => path.slice(path.search(/[^\\/]+$/)))
	});
}
function inFolder(folder) {
	if (folder === ".") return placeless;
	return (one) => {
		const scope = /[\\/]|\.[a-z]{1,4}$/.test(one.scope) ? `${folder}/${one.scope}` : `${folder.replaceAll("/", ".")}.${one.scope}`;
		return placeless(one.scope === "" ? one : {
			...one,
			scope
		});
	};
}
var Index = class {
	cases = [];
	#positions = new Map();
	add(one) {
		const names = this.#positions.get(one.scope);
		if (names === void 0) {
			this.#positions.set(one.scope, this.cases.length);
			return this.cases.push(one) - 1;
		}
		const known = this.#among(names, one.name);
		if (known !== void 0) return known;
		const position = this.cases.push(one) - 1;
		if (typeof names !== "number") names.set(one.name, position);
		else {
			const first = this.cases[names];
			this.#positions.set(one.scope, new Map([[first.name, names]]).set(one.name, position));
		}
		return position;
	}
	find({ scope, name }) {
		const names = this.#positions.get(scope);
		return names === void 0 ? void 0 : this.#among(names, name);
	}
	#among(names, name) {
		if (typeof names !== "number") return names.get(name);
		return this.cases[names]?.name === name ? names : void 0;
	}
};
function matchSeveral(there, here, into) {
	const [mine, theirs] = [groupBy(there, ({ suite }) => suite), groupBy(here, ({ suite }) => suite)];
	const common = [...mine.keys()].filter((suite) => theirs.has(suite));
	if (common.length < 2) {
		matchAlike(there, here, into);
		return;
	}
	for (const suite of common) matchAlike(mine.get(suite) ?? [], theirs.get(suite) ?? [], into);
	const rest = (cases) => cases.filter(({ suite }) => !common.includes(suite));
	matchAlike(rest(there), rest(here), into);
}
function matchAlike(there, here, into) {
	const [mine, theirs] = [groupBy(there, (one) => one.status), groupBy(here, (one) => one.status)];
	const pairs = [];
	const [left, right] = [[], []];
	for (const status of [
		"error",
		"failed",
		"expected",
		"passed",
		"skipped"
	]) pairUp(mine.get(status) ?? [], theirs.get(status) ?? [], pairs, left, right);
	const [more, moreHere] = [[], []];
	pairUp(left, right, pairs, more, moreHere);
	if (!here.some(didFail)) takeFailures(more, pairs, "scratch");
	if (!there.some(didFail)) takeFailures(moreHere, pairs, "ci");
	append(into.pairs, pairs);
	append(into.repeats.scratch, more);
	append(into.repeats.ci, moreHere);
}
function append(to, list) {
	for (const one of list) to.push(one);
}
function takeFailures(more, pairs, side) {
	more.forEach((failure, at) => {
		const position = didFail(failure) ? pairs.findIndex((pair) => pair[side].status === "passed") : -1;
		const pair = pairs[position];
		if (pair === void 0) return;
		more[at] = pair[side];
		pairs[position] = {
			...pair,
			[side]: failure
		};
	});
}
function didFail({ status }) {
	return status === "failed" || status === "error";
}
function pairUp(scratch, ci, pairs, onlyScratch, onlyCi) {
	for (let at = 0; at < scratch.length || at < ci.length; at++) {
		const [there, here] = [scratch[at], ci[at]];
		if (there && here) pairs.push({
			scratch: there,
			ci: here
		});
		else if (there) onlyScratch.push(there);
		else if (here) onlyCi.push(here);
	}
}
function withTheWhole(places, scratch, ci) {
	const there = wholes(places.onlyCi, scratch, places.onlyScratch);
	const here = wholes(places.onlyScratch, ci, places.onlyCi);
	if (there.size + here.size === 0) return places;
	const covers = new Set([...there.values(), ...here.values()]);
	return {
		...places,
		pairs: [
			...places.pairs,
			...[...there].map(([one, whole]) => ({
				scratch: whole,
				ci: one
			})),
			...[...here].map(([one, whole]) => ({
				scratch: one,
				ci: whole
			}))
		],
		onlyScratch: places.onlyScratch.filter((one) => !here.has(one) && !covers.has(one)),
		onlyCi: places.onlyCi.filter((one) => !there.has(one) && !covers.has(one))
	};
}
function wholes(lacking, otherSide, onlyThere) {
	const found = new Map();
	if (lacking.length === 0) return found;
	const byId = new Map();
	for (const one of otherSide) if (one.status === "skipped") byId.set(caseId(one), one);
	for (const one of onlyThere) {
		const own = setUpOf(one);
		if (own !== null) byId.set(own, one);
		else if (one.status === "error") byId.set(caseId(one), one);
	}
	if (byId.size === 0) return found;
	for (const one of lacking) {
		const whole = enclosingIds(one).find((id) => byId.has(id));
		if (whole !== void 0) found.set(one, byId.get(whole) ?? one);
	}
	return found;
}
const SET_UP = /^(?:|\[.*\]|Failure|TestMain|classMethod|initializationError|(?:before|setUp)(?:All|Class)\b.*)$/;
function setUpOf(one) {
	return one.scope !== "" && didFail(one) && SET_UP.test(one.name) ? one.scope : null;
}
// src/compare/skips.ts
const MODULES = [
	/\b(?:no module named|could not import|cannot import|failed to import) ['"`]?([\w.-]{1,100})/i,
	/\b(?:cannot find|missing|needs?|requires?|install) (?:the )?(?:module|package|library|dependency) ['"`]?([\w@/.-]{1,100})/i,
	/\b(?:needs?|requires?|install) (?:the )?['"`]?([\w@/.-]{1,100})['"`]? (?:module|package|library)\b/i,
	/(?:^|[\s'"`])([\w@/.-]{1,100})['"`]? (?:is |are |was )?not (?:installed|importable)\b/i
];
const LACK = "(?:no|not|without|needs?|needed|requires?|required|missing|unset|lacks?|lacking|absent|set|provide|unavailable|disabled|blocked|denied)";
const CREDENTIALS = "(?:credentials?|secrets?|passwords?|passphrase|(?:api|access|secret|private)[ _-]?keys?|(?:api|access|auth|bearer)[ _-]?tokens?)";
const NETWORK = "(?:network|internet|egress|remote[ -]data)(?: access| connection| connectivity)?";
const PLATFORM = "(?:windows|win32|linux|darwin|mac ?os ?x?|posix|unix|freebsd|wsl|musl|glibc|arm64|aarch64|x86_64|amd64|(?:32|64)[ -]bit|big[ -]endian|cpython|pypy|cuda(?: devices?)?|gpus?)";
const CAUSES = [
	["credentials", /\b[A-Z][A-Z0-9]*_(?:[A-Z0-9]+_)*(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS|PAT)\b/],
	["credentials", new RegExp(`\\b${LACK} (?:(?:an?|any|the|your|valid) )?(?:[\\w-]+ )?${CREDENTIALS}\\b`, "i")],
	["credentials", new RegExp(`\\b${CREDENTIALS} (?:(?:is|are|was|were) )?(?:not |un)(?:set|available|provided|configured|found|given)\\b`, "i")],
	["credentials", /\b(?:no|needs? an?|requires? an?|without an?|missing) token\b|\b(?:unauthori[sz]ed|unauthenticated|not (?:logged|signed) in)\b/i],
	["network", new RegExp(`\\b${LACK} (?:(?:an?|any|the|working) )?${NETWORK}\\b`, "i")],
	["network", new RegExp(`\\b${NETWORK} (?:(?:is|are|was|were) )?(?:not |un)?(?:available|unavailable|reachable|unreachable|allowed|disabled|blocked|required|needed|down)\\b`, "i")],
	["network", /^offline$|\b(?:(?:is|are|running|runs?|when|while) offline|(?:is|are) not online|name resolution|no route to host|connection (?:refused|reset|error|failed|timed out|timeout)|(?:can(?:no|')t|could ?n[o']t|could not|unable to|failed to) (?:connect|resolve|reach)|getaddrinfo|E(?:NOTFOUND|CONNREFUSED|CONNRESET|AI_AGAIN|TIMEDOUT|HOSTUNREACH|NETUNREACH)|max retries exceeded|(?:host|server|network) (?:is )?unreachable)\b/i],
	["platform", new RegExp(`\\b(?:only|just|${LACK}|(?:un|not )supported|skip(?:ped|s)?|fails?|broken|run) (?:(?:on|for|with|by|under|in|an?|the) )*${PLATFORM}\\b`, "i")],
	["platform", new RegExp(`\\b${PLATFORM}(?:\\/\\w+)?(?: |-)(?:only|specific|not supported|unsupported|is not supported|required|is required|needed)\\b`, "i")],
	["platform", new RegExp(`^(?:not )?(?:an? )?${PLATFORM}$|\\b(?:this|your|the|wrong|other|unsupported) (?:platform|architecture|os|operating system)\\b|\\b(?:platform|architecture) (?:is )?not supported\\b`, "i")],
	["platform", new RegExp(`\\b(?:python|node(?:\\.?js)?|go|ruby|java|rust|jdk) ?(?:[<>]|=|v?\\d)`, "i")]
];
function groupSkips(pairs, side) {
	return [...groupBy(pairs, (pair) => {
		const { cause, detail } = causeOf(pair[side].message);
		return `${cause} ${detail ?? ""}`;
	})].sort(([a, some], [b, others]) => others.length - some.length || (a < b ? -1 : 1)).map(([, group]) => ({
		...causeOf(group[0][side].message),
		pairs: group
	}));
}
function causeOf(message) {
	if (message === null) return {
		cause: "other",
		detail: null
	};
	for (const pattern of MODULES) {
		const name = pattern.exec(message)?.[1]?.replace(/[./-]+$/, "");
		if (name) return {
			cause: "module",
			detail: pattern === MODULES[0] ? name.split(".", 1)[0] ?? name : name
		};
	}
	return {
		cause: CAUSES.find(([, pattern]) => pattern.test(message))?.[0] ?? "other",
		detail: null
	};
}
// src/compare/spearman.ts
function spearman(one, other, distinct = 2) {
	const [a, b] = [ranks(one), ranks(other)];
	if (a.distinct < Math.max(distinct, 2) || b.distinct < Math.max(distinct, 2)) return null;
	const mean = (one.length + 1) / 2;
	let product = 0;
	let left = 0;
	let right = 0;
	for (let index = 0; index < one.length; index++) {
		const x = (a.ranks[index] ?? 0) - mean;
		const y = (b.ranks[index] ?? 0) - mean;
		product += x * y;
		left += x * x;
		right += y * y;
	}
	return product / Math.sqrt(left * right);
}
function ranks(values) {
	const sorted = values.toSorted();
	const rankOf = new Map();
	for (let start = 0; start < sorted.length;) {
		let end = start;
		while (end < sorted.length && sorted[end] === sorted[start]) end++;
		rankOf.set(sorted[start] ?? 0, (start + 1 + end) / 2);
		start = end;
	}
	const ranked = new Float64Array(values.length);
	for (let index = 0; index < values.length; index++) ranked[index] = rankOf.get(values[index] ?? 0) ?? 0;
	return {
		ranks: ranked,
		distinct: rankOf.size
	};
}
// src/compare/tests.ts
const DISTINCT_TIMES = 20;
function compareTests(scratch, ci) {
	const there = scratch.report && settled(scratch.report.cases, scratch.exit);
	const here = ci.report && settled(ci.report.cases, ci.exit);
	const matched = there === null || here === null ? NOTHING : matchCases(there, here, {
		scratch: scratch.folder ?? ".",
		ci: ci.folder ?? "."
	});
	const passed = [];
	const flipped = [];
	const unexpected = [];
	let agreedExpected = 0;
	const skippedInScratch = [];
	const skippedInCi = [];
	const skippedInBoth = [];
	let executed = 0;
	for (const pair of matched.pairs) {
		const mine = pair.scratch.status;
		const theirs = pair.ci.status;
		if (mine === "skipped" && theirs === "skipped") skippedInBoth.push(pair);
		else if (mine === "skipped") skippedInScratch.push(pair);
		else if (theirs === "skipped") skippedInCi.push(pair);
		else {
			executed++;
			if (mine === "passed" && theirs === "passed") passed.push(pair);
			else if (mine === "expected" && theirs === "expected") agreedExpected++;
			else if (mine === "expected" || theirs === "expected") unexpected.push(pair);
			else if (mine === "passed" || theirs === "passed") flipped.push(pair);
		}
	}
	return {
		scratch: there && countsOf(there),
		ci: here && countsOf(here),
		agreed: executed - flipped.length - unexpected.length,
		agreedPassed: passed.length,
		agreedExpected,
		skippedInBoth: skippedInBoth.length,
		flipped,
		unexpected,
		skippedInScratch: groupSkips(skippedInScratch, "scratch"),
		skippedInCi: groupSkips(skippedInCi, "ci"),
		onlyScratch: matched.onlyScratch,
		onlyCi: matched.onlyCi,
		repeats: matched.repeats,
		skippedAsOne: skippedAsOne([...skippedInScratch, ...skippedInBoth]),
		rerun: {
			scratch: rerun$1(there),
			ci: rerun$1(here)
		},
		timeRanks: timeRanks(passed)
	};
}
const NOTHING = {
	pairs: [],
	onlyScratch: [],
	onlyCi: [],
	repeats: {
		scratch: [],
		ci: []
	}
};
function settled(cases, exit) {
	if (exit !== 0) return cases;
	const idOf = (one) => `${one.suite}\u0000${caseId(one)}`;
	const failures = new Map();
	for (const one of cases) if (didFail(one)) failures.set(idOf(one), (failures.get(idOf(one)) ?? 0) + 1);
	if (failures.size === 0) return cases;
	const passed = new Set();
	for (const one of cases) if (one.status === "passed" && failures.has(idOf(one))) passed.add(idOf(one));
	if (passed.size === 0) return cases;
	return cases.flatMap((one) => {
		const id = idOf(one);
		if (!passed.has(id) || one.status === "skipped") return [one];
		if (didFail(one)) return [];
		const attempts = one.attempts + (failures.get(id) ?? 0);
		failures.delete(id);
		return [{
			...one,
			attempts
		}];
	});
}
function countsOf(cases) {
	const counts = {
		passed: 0,
		failed: 0,
		error: 0,
		skipped: 0,
		expected: 0
	};
	for (const one of cases) counts[one.status]++;
	const { error, ...others } = counts;
	return {
		total: cases.length,
		...others,
		errors: error
	};
}
function skippedAsOne(skipped) {
	const wholes = skipped.filter(({ scratch, ci }) => caseId(scratch) !== caseId(ci));
	return {
		skips: new Set(wholes.map(({ scratch }) => scratch)).size,
		cases: wholes.length
	};
}
function rerun$1(cases) {
	return cases === null ? [] : cases.filter(({ attempts }) => attempts > 0);
}
function timeRanks(passed) {
	const [there, here] = [new Float64Array(passed.length), new Float64Array(passed.length)];
	let cases = 0;
	for (const { scratch, ci } of passed) {
		if (!scratch.seconds || !ci.seconds) continue;
		there[cases] = scratch.seconds;
		here[cases++] = ci.seconds;
	}
	const rho = spearman(there.subarray(0, cases), here.subarray(0, cases), DISTINCT_TIMES);
	return rho === null ? null : {
		rho,
		cases
	};
}
// src/compare/grade.ts
const NOT_SET = "not set";
const exact = (grade) => (scratch, ci) => ({ grade: scratch === ci ? "same" : grade });
const setOrNot = (scratch, ci) => ({ grade: scratch === "not set" || ci === "not set" ? "drift" : "unrecorded" });
function folded(value) {
	return value.toLowerCase().replace(/-gnu$/, "").replace(/^(?:mingw|msys|cygwin)\S*$/, "windows").split("-").map((part) => part.replace(/^darwin[\d.]+$/, "darwin")).map((part) => ALIASES.get(part) ?? part).join("-");
}
const ALIASES = new Map([
	["amd64", "x86_64"],
	["x64", "x86_64"],
	["arm64", "aarch64"],
	["i386", "x86"],
	["i486", "x86"],
	["i586", "x86"],
	["i686", "x86"],
	["ia32", "x86"],
	["386", "x86"],
	["macos", "darwin"],
	["windows_nt", "windows"],
	["win32", "windows"]
]);
const platform = (scratch, ci) => ({ grade: folded(scratch) === folded(ci) ? "same" : "platform" });
const runtimeIdentifier = (scratch, ci) => {
	const portable = (rid) => rid.replace(/^alpine[\d.]*/, "linux-musl").replace(/^(?:debian|ubuntu|rhel|fedora|centos|ol|opensuse|sles|linuxmint)[\d.]*/, "linux").replace(/^(osx|win)[\d.]+/, "$1");
	return platform(portable(scratch), portable(ci));
};
function numbers(version) {
	return (/^\D{0,8}(\d+(?:\.\d+)*)/.exec(version)?.[1] ?? "").split(".").map(Number);
}
function isNumbered(version) {
	return /^\D{0,8}\d/.test(version);
}
function newerOf(scratch, ci) {
	const a = numbers(scratch);
	const b = numbers(ci);
	if (!isNumbered(scratch) || !isNumbered(ci)) return void 0;
	for (let index = 0; index < Math.max(a.length, b.length); index++) {
		const step = (a[index] ?? 0) - (b[index] ?? 0);
		if (step !== 0) return step > 0 ? "scratch" : "ci";
	}
}
function directed(grade, scratch, ci) {
	const newer = newerOf(scratch, ci);
	return newer === void 0 ? { grade } : {
		grade,
		newer
	};
}
const version$1 = (significant) => (scratch, ci) => {
	if (scratch === ci) return { grade: "same" };
	const head = (text) => numbers(text).slice(0, significant).join(".");
	if (!isNumbered(scratch) || !isNumbered(ci)) return { grade: "abi" };
	return directed(head(scratch) === head(ci) && significant > 0 ? "drift" : "abi", scratch, ci);
};
const pep440 = (scratch, ci) => foldVersion("python", scratch) === foldVersion("python", ci) ? { grade: "same" } : version$1(2)(scratch, ci);
const javaVersion = (scratch, ci) => {
	const modern = (text) => text.replace(/^1\.(?=\d)/, "");
	return scratch === ci ? { grade: "same" } : version$1(1)(modern(scratch), modern(ci));
};
const release = (scratch, ci) => scratch === ci ? { grade: "same" } : directed("drift", scratch, ci);
const libc = (scratch, ci) => {
	const family = (text) => text.split(" ", 1)[0] ?? "";
	if (family(scratch) !== family(ci)) return { grade: "platform" };
	const newer = newerOf(scratch.slice(family(scratch).length), ci.slice(family(ci).length));
	if (newer === void 0) return { grade: scratch === ci ? "same" : "unrecorded" };
	return {
		grade: newer === "ci" ? "drift" : "abi",
		newer
	};
};
const level = (scratch, ci) => {
	if (scratch === ci) return { grade: "same" };
	const newer = newerOf(scratch, ci);
	return newer === void 0 ? { grade: "abi" } : {
		grade: newer === "ci" ? "drift" : "abi",
		newer
	};
};
// src/compare/toolchain.ts
const rows = (compare, ...keys) => keys.map((key) => ({
	key,
	compare
}));
const ROWS = [
	...rows(platform, "os", "arch"),
	...rows(libc, "libc"),
	...rows(exact("platform"), "emulated"),
	...rows(exact("cosmetic"), "container", "distro", "kernel", "cpus"),
	...rows(exact("abi"), "python.implementation"),
	...rows(pep440, "python.version"),
	...rows(exact("abi"), "python.soabi", "python.freethreaded", "python.debug"),
	...rows(exact("cosmetic"), "python.path", "python.realpath", "python.venv"),
	...rows(release, "pip.version", "pytest.version", "uv.version", "poetry.version"),
	...rows(version$1(1), "node.version"),
	...rows(exact("abi"), "node.modules"),
	...rows(exact("cosmetic"), "node.napi"),
	...rows(release, "node.openssl"),
	...rows(platform, "node.platform", "node.arch"),
	...rows(exact("cosmetic"), "node.path", "node.realpath"),
	...rows(release, "npm.version", "pnpm.version", "yarn.version"),
	...rows(version$1(2), "go.version"),
	...rows(platform, "go.GOOS", "go.GOARCH"),
	...rows(level, "go.GOAMD64", "go.GOARM64"),
	...rows(exact("abi"), "go.CGO_ENABLED", "go.GOFLAGS", "go.GOEXPERIMENT"),
	...rows(exact("cosmetic"), "go.GOTOOLCHAIN", "go.path", "go.realpath"),
	...rows(release, "rustc.version"),
	...rows(platform, "rustc.host"),
	...rows(exact("abi"), "rustc.channel"),
	...rows(exact("cosmetic"), "rustc.commit", "rustc.path", "rustc.realpath"),
	...rows(release, "cargo.version"),
	...rows(version$1(1), "java.class"),
	...rows(javaVersion, "java.version"),
	...rows(exact("abi"), "java.vm"),
	...rows(platform, "java.arch"),
	...rows(exact("cosmetic"), "java.vendor", "java.runtime", "java.path", "java.realpath"),
	...rows(release, "mvn.version", "gradle.version"),
	...rows(exact("abi"), "ruby.engine"),
	...rows(version$1(2), "ruby.version"),
	...rows(exact("abi"), "ruby.abi"),
	...rows(platform, "ruby.platform"),
	...rows(exact("cosmetic"), "ruby.patch", "ruby.path", "ruby.realpath"),
	...rows(release, "gem.version", "bundler.version", "rspec.version", "minitest.version"),
	...rows(version$1(1), "dotnet.version", "dotnet.host"),
	...rows(runtimeIdentifier, "dotnet.rid"),
	...rows(platform, "dotnet.arch"),
	...rows(exact("drift"), "dotnet.runtimes"),
	...rows(exact("cosmetic"), "dotnet.path", "dotnet.realpath"),
	...rows(version$1(2), "php.version"),
	...rows(exact("abi"), "php.api", "php.threadsafe", "php.debug", "php.bits"),
	...rows(exact("drift"), "php.extensions"),
	...rows(exact("cosmetic"), "php.path", "php.realpath"),
	...rows(version$1(1), "deno.version"),
	...rows(platform, "deno.target"),
	...rows(release, "deno.v8", "deno.typescript"),
	...rows(exact("cosmetic"), "deno.path", "deno.realpath"),
	...rows(version$1(1), "bun.version"),
	...rows(exact("abi"), "bun.modules"),
	...rows(platform, "bun.platform", "bun.arch"),
	...rows(exact("cosmetic"), "bun.path", "bun.realpath"),
	...rows(exact("drift"), "tz", "locale"),
	...rows(exact("cosmetic"), "env.CI", "env.GITHUB_ACTIONS", "env.RUSTUP_TOOLCHAIN"),
	...rows(exact("drift"), ...[
		"PYTHONHASHSEED",
		"PYTHONWARNINGS",
		"PYTHONOPTIMIZE",
		"PYTHONUTF8",
		"PYTEST_DISABLE_PLUGIN_AUTOLOAD"
	].map(env), ...[
		"NODE_ENV",
		"RUST_TEST_THREADS",
		"RAILS_ENV",
		"RACK_ENV",
		"APP_ENV"
	].map(env), ...["ASPNETCORE_ENVIRONMENT", "DOTNET_ENVIRONMENT"].map(env)),
	...rows(setOrNot, ...[
		"PYTHONPATH",
		"PYTEST_ADDOPTS",
		"NODE_OPTIONS",
		"NODE_PATH",
		"RUSTFLAGS",
		"JAVA_TOOL_OPTIONS"
	].map(env), ...[
		"MAVEN_OPTS",
		"GRADLE_OPTS",
		"RUBYOPT",
		"LD_PRELOAD",
		"LD_LIBRARY_PATH"
	].map(env)),
	...rows(exact("cosmetic"), ...[
		"HTTP_PROXY",
		"HTTPS_PROXY",
		"http_proxy",
		"https_proxy"
	].map(env)),
	...rows(exact("cosmetic"), "image.os", "image.version", "runner.os", "runner.arch", "runner.environment")
];
function env(name) {
	return `env.${name}`;
}
ROWS.map((row) => row.key);
function compareToolchains(scratch, ci) {
	const [ours, theirs] = [scratch, ci].map((side) => factOf(side, "go.GOARCH")?.value);
	const alike = ours !== void 0 && theirs !== void 0 && platform(ours, theirs).grade === "same";
	return ROWS.flatMap(({ key, compare }) => {
		const there = factOf(scratch, key);
		const here = factOf(ci, key);
		const unset = (fact) => fact === null || fact.value === "not set";
		if (unset(there) && unset(here)) return [];
		if (/^go\.GO(?:AMD|ARM)64$/.test(key) && (there === null || here === null) && !alike) return [];
		if (/^(?:image|runner)\./.test(key) && (there === null || here === null)) return [];
		return [row(key, there, here, compare, scratch)];
	});
}
function factOf(toolchain, key) {
	const fact = toolchain?.facts.get(key) ?? null;
	return fact === null && toolchain?.format === 2 && key.startsWith("env.") ? {
		value: NOT_SET,
		line: 1
	} : fact;
}
function row(key, there, here, compare, file) {
	const graded = there === null || here === null ? { grade: "unrecorded" } : compare(there.value, here.value);
	return {
		key,
		scratch: there?.value ?? null,
		ci: here?.value ?? null,
		grade: graded.grade,
		newer: "newer" in graded ? graded.newer ?? null : null,
		file: there === null ? null : file?.file ?? null,
		line: there?.line ?? null
	};
}
// src/compare/compare.ts
function compare(bundle, ci, review) {
	const scratch = bundle.evidence;
	const exits = scratch?.exits ?? [];
	const scratchCode = exitCodeOf(exits);
	const ciCode = ci.result.exitCode;
	return {
		bundle,
		scratch,
		ci: ci.evidence,
		ciNotes: ci.notes,
		review,
		exits: {
			scratch: exits,
			scratchCode,
			ciCode
		},
		command: compareCommands(scratch, ci.evidence),
		toolchain: compareToolchains(scratch?.toolchain ?? null, ci.evidence.toolchain),
		lockfiles: scratch === null ? [] : compareLockfiles(scratch, review.lockfiles, ci.evidence.toolchain, review.ignoredLockfiles),
		installed: scratch === null ? [] : compareInstalled(scratch, ci.evidence),
		ciInstalled: allAgainstLocks(ci.evidence),
		tests: compareTests({
			report: scratch?.tests ?? null,
			exit: scratchCode,
			folder: scratch?.run?.cwd ?? null
		}, {
			report: ci.evidence.tests,
			exit: ciCode,
			folder: ci.evidence.run?.cwd ?? null
		}),
		signals: readSignals(scratch, ci.evidence),
		source: compareSources(scratch, ci.evidence, review)
	};
}
// src/judge/rules/rule.ts
function found(level, fact, file = null, line = null) {
	return {
		...fact,
		level,
		file,
		line
	};
}
// src/judge/rules/bundle.ts
const noBundle = ({ comparison: { bundle, scratch, review } }) => scratch === null ? [found("notice", {
	id: "bundle/none",
	bundle,
	under: review.under
})] : [];
const editedAfterCapture = ({ comparison: { bundle } }) => {
	const files = of(bundle.problems, "edited-after-capture").map(({ file }) => file);
	return files.length === 0 ? [] : [found("warning", {
		id: "bundle/edited-after-capture",
		files
	}, files[0] ?? null)];
};
const noSums = ({ comparison: { bundle, scratch } }) => {
	const known = scratch?.files.includes("SHA256SUMS") || bundle.problems.some((one) => "file" in one && one.file === "SHA256SUMS");
	return scratch?.run?.finished == null || known ? [] : [found("info", { id: "bundle/no-sums" })];
};
const bundleProblems = ({ comparison: { bundle } }) => {
	const findings = [];
	for (const problem of bundle.problems) switch (problem.kind) {
		case "not-regular":
			findings.push(found("warning", {
				id: "bundle/not-regular",
				problem
			}, problem.file));
			break;
		case "over-cap":
			findings.push(found("warning", {
				id: "bundle/over-cap",
				problem
			}, problem.file));
			break;
		case "too-many-files":
			findings.push(found("warning", {
				id: "bundle/too-many-files",
				problem
			}));
			break;
		case "unreadable":
			findings.push(found("warning", {
				id: "bundle/unreadable",
				problem
			}, problem.file, problem.line));
			break;
		case "not-utf8":
			findings.push(found("notice", {
				id: "bundle/not-utf8",
				problem
			}, problem.file, problem.line));
			break;
		case "control-characters": findings.push(found("notice", {
			id: "bundle/control-characters",
			problem
		}, problem.file, problem.line));
	}
	for (const problems of groupBy(of(bundle.problems, "unrecognised-line"), ({ file }) => file).values()) findings.push(found("info", {
		id: "bundle/unrecognised-line",
		problems
	}, problems[0].file, problems[0].line));
	for (const problems of groupBy(of(bundle.problems, "repeated-key"), ({ file }) => file).values()) findings.push(found("notice", {
		id: "bundle/repeated-key",
		problems
	}, problems[0].file, problems[0].line));
	for (const problems of groupBy(of(bundle.problems, "secret"), ({ file }) => file).values()) findings.push(found("warning", {
		id: "bundle/secret",
		problems
	}, problems[0].file, problems[0].line));
	const converted = of(bundle.problems, "line-endings").map(({ file }) => file);
	if (converted.length > 0) findings.push(found("info", {
		id: "bundle/line-endings",
		files: converted
	}, converted[0] ?? null));
	const unexpected = of(bundle.problems, "unexpected-file");
	if (unexpected.length > 0) findings.push(found("notice", {
		id: "bundle/unexpected-file",
		problems: unexpected
	}, unexpected[0]?.file ?? null));
	return findings;
};
function of(problems, kind) {
	return problems.filter((problem) => problem.kind === kind);
}
// src/judge/rules/ci.ts
const ci = ({ comparison, result, others }) => {
	const findings = comparison.ciNotes.map((note) => note.kind === "stale-junit" ? found("notice", {
		id: "ci/stale-junit",
		files: note.files
	}) : found("notice", {
		id: "ci/not-recorded",
		what: note.what,
		remedy: note.remedy
	}));
	for (const problem of comparison.ci.problems) if (problem.kind === "unreadable" || problem.kind === "over-cap") findings.push(found("notice", {
		id: "ci/unreadable",
		problem
	}));
	const legs = [result, ...others];
	const told = legs.some(({ shared, exitCode }) => shared && exitCode !== null && exitCode !== 0);
	for (const { name, exitCode, result: word, shared } of legs) {
		if (word === null || exitCode === null || word === "success" === (exitCode === 0)) continue;
		if (shared && word !== "success" && told) continue;
		findings.push(found("warning", {
			id: "ci/result-against-exit",
			leg: name,
			result: word,
			exit: exitCode,
			shared
		}));
		if (shared && word !== "success") break;
	}
	return findings;
};
// src/judge/rules/exit.ts
const exitCode = ({ comparison: { scratch } }) => {
	if (scratch === null) return [];
	const interrupted = scratch.run !== null && scratch.run.finished === null;
	if (scratch.exits.length === 0) return [found("warning", {
		id: "exit/missing",
		interrupted
	})];
	return scratch.exits.flatMap(({ file, word }) => word === null ? [] : [found("warning", {
		id: "exit/not-a-number",
		word
	}, file, 1)]);
};
const interrupted = ({ comparison: { scratch, exits } }) => {
	const run = scratch?.run ?? null;
	if (run === null || run.signal === null) return [];
	const notRun = run.others.flatMap((other) => other.finished === null && other.command !== null ? [other.command] : []);
	return [found("warning", {
		id: "exit/interrupted",
		signal: run.signal,
		notRun
	}, exits.scratch[0]?.file ?? null, 1)];
};
const exitAgainstItself = ({ comparison: { scratch, exits } }) => {
	const two = recordedExits(scratch);
	return two === null ? [] : [found("warning", {
		id: "exit/two-answers",
		...two
	}, exits.scratch[0]?.file ?? null, 1)];
};
const exitAgainstReport = ({ comparison }) => {
	const { exits } = comparison;
	return [[
		"scratch",
		exits.scratchCode,
		exits.scratch[0]?.file ?? null
	], [
		"ci",
		exits.ciCode,
		null
	]].flatMap(([side, code, file]) => {
		const failures = failuresOf(comparison, side);
		if (code !== 0 || failures === 0) return [];
		return [found("warning", {
			id: "exit/against-report",
			side,
			failures
		}, file, file === null ? null : 1)];
	});
};
const exitAgainstCi = ({ comparison, ended }) => {
	const { scratch, scratchCode, ciCode } = comparison.exits;
	if (scratchCode === null) return [];
	const file = scratch.find(({ code }) => code === scratchCode)?.file ?? null;
	if (endedDifferently(comparison, ended) && (scratchCode !== 0 || ciCode !== 0)) return [found("warning", {
		id: "exit/against-ci",
		scratch: scratchCode,
		ci: ciCode
	}, file, 1)];
	if (ended === "failure" && ciCode !== null && ciCode !== 0 && scratchCode !== ciCode) return [found("notice", {
		id: "exit/other-code",
		scratch: scratchCode,
		ci: ciCode
	}, file, 1)];
	return [];
};
// src/judge/rules/experiment.ts
const toolchain = ({ comparison }) => {
	if (comparison.scratch === null) return [];
	if (comparison.scratch.toolchain === null) return [found("notice", { id: "toolchain/missing" })];
	const graded = (grade) => comparison.toolchain.filter((row) => row.grade === grade);
	const abi = groupBy(graded("abi"), toolOf);
	const platform = graded("platform");
	for (const [tool, rows] of abi) {
		if (platform.length === 0 || rows.some((row) => row.key.endsWith(".version")) || tool === "libc") continue;
		platform.push(...rows);
		abi.delete(tool);
	}
	const drift = graded("drift").filter((row) => {
		const rows = row.key === "npm.version" ? abi.get("node") : abi.get(toolOf(row));
		rows?.push(row);
		return rows === void 0;
	});
	const fact = (key) => comparison.ci.toolchain?.facts.get(key)?.value ?? null;
	const machine = {
		distro: fact("distro"),
		arch: fact("arch")
	};
	return [
		...at(platform, "warning", {
			id: "toolchain/platform",
			rows: platform,
			...machine
		}),
		...[...abi].flatMap(([tool, rows]) => at(rows, "warning", {
			id: "toolchain/abi",
			tool,
			rows,
			...machine
		})),
		...at(drift, "notice", {
			id: "toolchain/drift",
			rows: drift
		}),
		...at(graded("unrecorded"), "info", {
			id: "toolchain/not-recorded",
			rows: graded("unrecorded")
		}),
		...comparison.scratch.run?.toolsByPath ? [found("info", { id: "toolchain/by-path" }, "run.txt")] : []
	];
};
function toolOf(row) {
	return row.key.split(".", 1)[0] ?? "";
}
function at(rows, level, fact) {
	const row = rows.find((one) => one.file !== null);
	return rows.length === 0 ? [] : [found(level, fact, row?.file ?? null, row?.line ?? null)];
}
const lockfiles = ({ comparison }) => [...noneAnywhere(comparison), ...comparison.lockfiles.flatMap((lockfile) => {
	const { file, line } = lockfile;
	return [
		...verdict(lockfile, comparison).map((finding) => ({
			...finding,
			file,
			line
		})),
		...artefacts(lockfile),
		...lockfile.weak === null || lockfile.scratch !== "copy" ? [] : [found("info", {
			id: "lockfile/weak",
			lockfile
		}, file)]
	];
})];
function noneAnywhere({ scratch, lockfiles: compared, review }) {
	const none = scratch?.locks.find((copy) => copy.none);
	return none === void 0 || compared.length > 0 ? [] : [found("info", {
		id: "lockfile/nowhere",
		under: review.under
	}, none.file)];
}
function artefacts({ artefacts, file, path, install }) {
	if (artefacts === null) return [];
	const { otherHash, otherFile } = artefacts;
	return [...otherHash.length > 0 ? [found("warning", {
		id: "lockfile/other-hash",
		packages: otherHash,
		path,
		install
	}, file)] : [], ...otherFile.length > 0 ? [found("notice", {
		id: "lockfile/other-artefact",
		packages: otherFile,
		path,
		install
	}, file)] : []];
}
function verdict(lockfile, { scratch, review }) {
	if (lockfile.scratch === "none") return [found("warning", {
		id: "lockfile/none",
		lockfile,
		under: review.under
	})];
	const [freeze] = scratch?.freezes ?? [];
	if (lockfile.scratch === "missing" && freeze !== void 0) return [found("notice", {
		id: "lockfile/only-freeze",
		lockfile,
		freeze: freeze.file
	}, freeze.file)];
	if (lockfile.scratch === "missing") return [found("notice", {
		id: "lockfile/missing",
		lockfile
	})];
	if (lockfile.ignored) return [found("notice", {
		id: "lockfile/ignored",
		lockfile
	})];
	if (lockfile.compared === "could not compare" || lockfile.why !== null) return [found("notice", {
		id: "lockfile/not-compared",
		lockfile
	})];
	if (differing$1(lockfile) > 0) return [found("warning", {
		id: "lockfile/differs",
		lockfile
	})];
	if (lockfile.compared === "same" && lockfile.identical === false) return [found("info", {
		id: "lockfile/same-packages",
		lockfile
	})];
	return [];
}
const installed = ({ comparison: { scratch, installed: there, ciInstalled } }) => [
	...there.flatMap(installedThere),
	...(scratch?.freezes ?? []).flatMap(({ file, packages: { notRead } }) => notRead.length === 0 ? [] : [found("notice", {
		id: "installed/not-read",
		lines: notRead
	}, file, notRead[0]?.line ?? null)]),
	...ciInstalled.flatMap(ciItself)
];
function installedThere(there) {
	const { file, againstLock: lock, againstCi: ci } = there;
	const differs = ci !== null && differing$1(ci) > 0;
	const level = ci === null || differs ? "warning" : "notice";
	const where = (of, at, fact) => of === void 0 || of.length === 0 ? [] : [found(at, fact, file)];
	return [...lock === null ? [] : [
		...where(lock.notLocked, level, {
			id: "installed/not-locked",
			against: lock
		}),
		...where(lock.otherVersion, level, {
			id: "installed/other-version",
			against: lock
		}),
		...where(lock.missing, "info", {
			id: "installed/missing",
			against: lock
		})
	], ...differs ? [found("warning", {
		id: "installed/differs",
		installed: there
	}, file)] : []];
}
function ciItself(against) {
	return [...against.otherVersion.length > 0 ? [found("notice", {
		id: "installed/ci-other-version",
		against
	})] : [], ...against.notLocked.length > 0 ? [found("info", {
		id: "installed/ci-not-locked",
		against
	})] : []];
}
const command = ({ comparison: { command: words, tests } }) => {
	if (words.same !== false || words.scratch === null || words.ci === null) return [];
	return [found(tests.scratch !== null && tests.ci !== null ? "info" : "warning", {
		id: "command/differs",
		scratch: words.scratch,
		ci: words.ci
	}, "run.txt")];
};
// src/judge/rules/signals.ts
const signals = ({ comparison: { scratch, signals: read } }) => {
	const file = scratch?.tests?.files[0] ?? null;
	const { copied } = read;
	return [
		...copied === null ? [] : [found("warning", {
			id: "tests/copied",
			copied
		}, copied.files[0] ?? file)],
		...ofRun("scratch", read.scratch).map((finding) => ({
			...finding,
			file
		})),
		...ofRun("ci", read.ci)
	];
};
function ofRun(side, run) {
	const { outside, otherHosts, sameTime, noTime, cachedPackages, cachedCases, hollow } = run;
	const cached = cachedPackages !== null || cachedCases !== null;
	return [
		...outside === null ? [] : [found("warning", {
			id: "tests/timestamp",
			side,
			outside
		})],
		...otherHosts.length === 0 ? [] : [found("notice", {
			id: "tests/hostname",
			side,
			hosts: otherHosts
		})],
		...sameTime === null ? [] : [found("warning", {
			id: "tests/same-time",
			side,
			...sameTime
		})],
		...noTime === null || cached ? [] : [found("notice", {
			id: "tests/no-time",
			side,
			cases: noTime
		})],
		...cached ? [found("notice", {
			id: "tests/cached",
			side,
			packages: cachedPackages,
			cases: cachedCases
		})] : [],
		...hollow.length === 0 ? [] : [found("notice", {
			id: "tests/hollow",
			side,
			cases: hollow
		})]
	];
}
const rerun = ({ comparison: { scratch, tests } }) => ["scratch", "ci"].flatMap((side) => {
	const cases = tests.rerun[side];
	if (cases.length === 0) return [];
	const level = cases.some(({ status }) => status === "passed") ? "notice" : "info";
	const file = side === "scratch" ? scratch?.tests?.files[0] ?? null : null;
	return [found(level, {
		id: "tests/rerun",
		side,
		cases
	}, file)];
});
// src/judge/rules/source.ts
const NOT_THE_MERGE = {
	what: "the captured tree is not that of the merge that was checked out; whether it is that of the commit under review cannot be told",
	remedy: FETCH_REMEDY
};
const source = ({ comparison: { scratch, source: at, review } }) => {
	const findings = [];
	const run = scratch?.run?.source ?? null;
	const { base } = review;
	if (at.same === false && at.scratchTree !== null) {
		const head = at.headTree ?? at.ciTree ?? "";
		const { changed, scratchTree } = at;
		const fact = {
			id: "source/other-tree",
			scratch: scratchTree,
			head,
			changed,
			captured: run?.head ?? null,
			base,
			under: review.under
		};
		findings.push(found("warning", fact, "run.txt"));
	}
	if (at.otherBundles.length > 0) findings.push(found("info", {
		id: "source/other-bundles",
		directories: at.otherBundles
	}, "run.txt"));
	const { checkoutTree, headTree } = review;
	if (at.same === null && at.scratchTree !== null && headTree === null && checkoutTree !== null && at.scratchTree !== checkoutTree) findings.push(found("notice", {
		id: "source/not-compared",
		...NOT_THE_MERGE
	}));
	if (scratch !== null && at.same !== true && at.bundleBrought === false) findings.push(found("warning", { id: "source/left-over" }));
	if (at.afterBundle !== null && at.afterBundle.length > 0) findings.push(found("warning", {
		id: "source/later-commits",
		changed: at.afterBundle,
		base
	}));
	if (scratch !== null && at.scratchTree === null) findings.push(found("notice", {
		id: "source/not-recorded",
		why: whyNot(scratch)
	}));
	if (run !== null && run.hidden !== null && run.hidden !== "0" && run.hidden !== "no") findings.push(found("notice", {
		id: "source/hidden",
		hidden: run.hidden,
		paths: run.hiddenPaths
	}, "run.txt"));
	for (const side of ["scratch", "ci"]) {
		const paths = at.changedByRun[side];
		const level = side === "scratch" ? "notice" : "info";
		if (paths.length > 0) findings.push(found(level, {
			id: "source/changed-by-run",
			side,
			paths
		}, side === "scratch" ? "run.txt" : null));
	}
	if (at.submodules.length > 0) findings.push(found("notice", {
		id: "source/submodules",
		submodules: at.submodules
	}, "run.txt"));
	const { scratch: there, ci: here } = at.lfsPointers;
	if ((there ?? 0) !== (here ?? 0)) findings.push(found("notice", {
		id: "source/lfs",
		scratch: there,
		ci: here
	}, "run.txt"));
	if (at.filtered > 0) findings.push(found("notice", {
		id: "source/filtered",
		files: at.filtered
	}, "run.txt"));
	if (at.excluded.length > 0) {
		const level = at.excluded.some(configuresTests) ? "notice" : "info";
		findings.push(found(level, {
			id: "source/excluded",
			paths: at.excluded.map(({ path }) => path)
		}, "run.txt"));
	}
	if (at.lineEndings !== null) findings.push(found("info", {
		id: "source/line-endings",
		...at.lineEndings
	}, "run.txt"));
	return [...findings, ...review.limits.map((limit) => found("notice", {
		id: "source/not-compared",
		...limit
	}))];
};
function whyNot({ run, format, problems }) {
	if (run !== null) return run.source.head === null ? "no git" : "not read";
	return problems.some((problem) => "file" in problem && problem.file === "run.txt") || format === 2 ? "no run.txt" : "format 1";
}
const judged = ({ comparison: { source: at, review } }) => {
	const findings = [];
	if (at.judgeFiles !== null && at.judgeFiles.length > 0) findings.push(found("notice", {
		id: "source/own-judge",
		files: at.judgeFiles,
		base: review.base
	}));
	if (at.ciDirt !== null && at.ciDirt.length > 0) findings.push(found("notice", {
		id: "source/ci-tree",
		paths: at.ciDirt
	}));
	if (review.merged !== null && review.merged.length > 0) findings.push(found("info", {
		id: "source/merged",
		files: review.merged,
		base: review.base
	}));
	return findings;
};
const script = ({ comparison: { source: at } }) => {
	if (at.script === null || at.script === "published") return [];
	return [found(at.script === "other" ? "notice" : "info", {
		id: "source/script",
		script: at.script
	}, "run.txt")];
};
// src/judge/rules/tests.ts
const flipped = ({ comparison: { scratch, tests } }) => tests.flipped.length > 0 ? [found("warning", {
	id: "tests/flipped",
	pairs: tests.flipped
}, scratch?.tests?.files[0] ?? null)] : [];
const noneRan = ({ comparison: { scratch, ci, tests } }) => [...nothingRan(tests.scratch) ? [found("warning", {
	id: "tests/none-ran",
	side: "scratch",
	skipped: tests.scratch?.skipped ?? 0
}, scratch?.tests?.files[0] ?? null)] : [], ...nothingRan(tests.ci) && ci.tests !== null ? [found("warning", {
	id: "tests/none-ran",
	side: "ci",
	skipped: tests.ci?.skipped ?? 0
})] : []];
const unexpected = ({ comparison: { scratch, tests } }) => tests.unexpected.length > 0 ? [found("notice", {
	id: "tests/expected",
	pairs: tests.unexpected
}, scratch?.tests?.files[0] ?? null)] : [];
const transfer$1 = ({ comparison: { scratch, tests, lockfiles } }) => {
	const install = lockfiles.find((lockfile) => lockfile.install !== null)?.install ?? null;
	const file = scratch?.tests?.files[0] ?? null;
	const { skippedInScratch, skippedInCi, onlyScratch, onlyCi } = tests;
	return [
		...skippedInScratch.length > 0 ? [found("warning", {
			id: "tests/skipped-in-scratch",
			groups: skippedInScratch,
			install
		}, file)] : [],
		...onlyCi.length > 0 ? [found("notice", {
			id: "tests/only-ci",
			cases: onlyCi
		}, file)] : [],
		...skippedInCi.length > 0 ? [found("warning", {
			id: "tests/skipped-in-ci",
			groups: skippedInCi
		}, file)] : [],
		...onlyScratch.length > 0 ? [found("warning", {
			id: "tests/only-scratch",
			cases: onlyScratch
		}, file)] : []
	];
};
const noReport = ({ comparison: { scratch, ci, tests, signals, exits } }) => {
	if (scratch === null) return [];
	return [[
		"scratch",
		tests.scratch,
		scratch,
		exits.scratchCode
	], [
		"ci",
		tests.ci,
		ci,
		exits.ciCode
	]].flatMap(([side, counts, evidence, exit]) => {
		const unreadable = evidence.problems.some(({ kind, ...at }) => kind === "unreadable" && isJUnit(at));
		if (counts !== null || unreadable || evidence.files.length === 0) return [];
		const what = signals[side].notWritten;
		if (what === null) return [found("notice", {
			id: "tests/no-report",
			side,
			cargoTest: /\bcargo(?: \+\S+)? t(?:est)?(?:\s|$)/.test(evidence.run?.command ?? "")
		})];
		return [found(exit === 0 ? "warning" : "notice", {
			id: "tests/not-written",
			side,
			exit,
			what
		})];
	});
};
function isJUnit(at) {
	return "file" in at && typeof at.file === "string" && at.file.endsWith(".xml");
}
const greenReport = ({ comparison: { scratch, tests, exits } }) => {
	const green = (counts) => counts !== null && counts.total > 0 && counts.failed + counts.errors === 0;
	const { scratchCode, ciCode } = exits;
	return [...green(tests.scratch) && scratchCode !== null && scratchCode !== 0 && !scratch?.run?.signal ? [found("notice", {
		id: "tests/green-report",
		side: "scratch",
		exit: scratchCode
	}, exits.scratch[0]?.file ?? null)] : [], ...green(tests.ci) && ciCode !== null && ciCode !== 0 ? [found("notice", {
		id: "tests/green-report",
		side: "ci",
		exit: ciCode
	})] : []];
};
const reportItself = ({ comparison: { scratch, ci } }) => {
	const mismatches = (scratch?.tests?.countMismatches ?? []).filter((one, at, all) => all.findIndex(({ of }) => of === one.of) === at);
	return [...[["scratch", scratch?.tests], ["ci", ci.tests]].flatMap(([side, report]) => {
		const problems = report?.suiteProblems ?? [];
		const file = side === "scratch" ? problems[0]?.file ?? null : null;
		return problems.length === 0 ? [] : [found("notice", {
			id: "tests/suite-problem",
			side,
			problems
		}, file)];
	}), ...mismatches.map(({ file, ...of }) => found(of.of === "failures" ? "warning" : "info", {
		id: "tests/count-mismatch",
		...of
	}, file))];
};
// src/judge/judge.ts
const RULES = [
	noBundle,
	editedAfterCapture,
	noSums,
	exitAgainstItself,
	exitAgainstReport,
	interrupted,
	exitAgainstCi,
	flipped,
	unexpected,
	noneRan,
	noReport,
	signals,
	exitCode,
	source,
	judged,
	transfer$1,
	toolchain,
	lockfiles,
	installed,
	command,
	script,
	greenReport,
	rerun,
	ci,
	bundleProblems,
	reportItself
];
const LEVELS = [
	"warning",
	"notice",
	"info"
];
function judge(results, comparisons) {
	const [nearest, ...others] = results.flatMap((result, index) => {
		const comparison = comparisons[index];
		return comparison === void 0 ? [] : [{
			result,
			comparison
		}];
	}).toSorted((a, b) => distance(a.comparison) - distance(b.comparison));
	if (nearest === void 0) throw new Error("There is no run of CI to judge by.");
	const ended = endingOf(nearest.result);
	const witness = witnessOf(nearest.comparison, ended);
	const at = {
		...nearest,
		witness,
		ended,
		others: others.map((leg) => leg.result)
	};
	return {
		conclusion: conclude$1(results),
		legs: [nearest, ...others],
		witness,
		differences: differencesOf(nearest.comparison),
		findings: sorted(RULES.flatMap((rule) => rule(at))),
		proved: proofRows(nearest.comparison)
	};
}
function distance(comparison) {
	const { ci: own, scratch, toolchain: rows, tests } = comparison;
	const weights = {
		platform: 1e3,
		abi: 100,
		drift: 1,
		unrecorded: 1,
		cosmetic: 0,
		same: 0
	};
	const others = differencesOf(comparison).filter((one) => one !== "platform" && one !== "toolchain");
	return (own.toolchain === null ? 1e5 : 0) + rows.reduce((sum, row) => sum + weights[row.grade], 0) + (scratch?.tests && own.tests === null ? 50 : 0) + 20 * others.length + 10 * tests.flipped.length;
}
function sorted(findings) {
	return LEVELS.flatMap((level) => findings.filter((finding) => finding.level === level));
}
function proofRows({ scratch, review }) {
	const rows = review.claim === null ? [] : [{
		kind: "claim",
		file: null
	}];
	if (scratch === null) return rows;
	for (const { file } of scratch.exits) rows.push({
		kind: "exit",
		file
	});
	if (scratch.tests !== null) rows.push({
		kind: "tests",
		file: scratch.tests.files[0] ?? null
	});
	if (scratch.toolchain !== null) rows.push({
		kind: "toolchain",
		file: scratch.toolchain.file
	});
	for (const { file } of scratch.locks) rows.push({
		kind: "lock",
		file
	});
	for (const { file } of scratch.freezes) rows.push({
		kind: "freeze",
		file
	});
	if (scratch.run !== null) rows.push({
		kind: "tree",
		file: "run.txt"
	});
	if (scratch.files.includes("SHA256SUMS")) rows.push({
		kind: "sums",
		file: "SHA256SUMS"
	});
	return rows;
}
// src/report/wording/headline.ts
function headline(judgement) {
	const [nearest, ...others] = judgement.legs;
	const ended = endingOf(nearest.result);
	const beside = judgement.conclusion !== "cancelled" && others.some(({ result }) => endingOf(result) !== ended) ? t`Beside ${code(nearest.result.name)}: ` : [];
	return [
		...ending(judgement),
		" ",
		...beside,
		...worth(judgement)
	];
}
function ending({ conclusion, legs }) {
	if (conclusion === "cancelled") return ["CI was cancelled."];
	if (legs.length > 1) {
		const failed = legs.filter(({ result }) => endingOf(result) !== "success");
		if (conclusion === "success") return t`CI passed in ${count$1(legs.length, "leg")}.`;
		if (failed.length === 0) return t`CI failed: GitHub says ${code(legs[0].result.result ?? "failure")} of the legs together.`;
		const names = failed.length === legs.length ? [] : t`: ${enumerate(failed.map((leg) => [code(leg.result.name)]))}`;
		return t`CI failed in ${failed.length} of ${count$1(legs.length, "leg")}${names}.`;
	}
	if (conclusion === "success") return passing(legs[0].comparison);
	const { exitCode, signal, result } = legs[0].result;
	if (result !== null && result !== "failure") return t`CI did not pass: GitHub says ${code(result)}.`;
	if (endingOf(legs[0].result) === null) return ["How CI ended is not recorded."];
	if (result !== null && exitCode === 0) return ["CI failed, and the run that it recorded exited 0."];
	return exitCode === null || exitCode === 0 ? [signal === null ? "CI failed." : `CI failed: ${signal}.`] : t`CI failed: exit ${exitCode}.`;
}
function passing(comparison) {
	const failures = failuresOf(comparison, "ci");
	if (failures > 0) return t`CI passed, with ${count$1(failures, "failure")} in its own XML.`;
	return [nothingRan(comparison.tests.ci) ? "CI passed, and ran no test." : "CI passed."];
}
function worth({ witness, legs, differences }) {
	const { comparison } = legs[0];
	const { scratch, exits, tests, source, review, bundle, toolchain } = comparison;
	const run = exits.scratchCode === 0 ? "The scratch PASS" : "The scratch run";
	switch (witness) {
		case "none": {
			const nothing = bundle.absent === "not read" ? t`Whether there is evidence of a scratch run could not be told` : bundle.absent === "no file can be read" ? t`The bundle in ${code(bundle.name)} cannot be read` : review.under === "commit" ? t`No evidence of a scratch run was committed` : t`There is no evidence of a scratch run`;
			return review.claim === null ? [...nothing, "."] : [
				...nothing,
				`: “`,
				review.claim,
				"” is a sentence."
			];
		}
		case "incomplete": return t`The scratch bundle has no exit code${exits.scratch[0]?.word ? t`: ${code(exits.scratch[0].file)} says ${code(exits.scratch[0].word)}` : ""}.`;
		case "inconsistent": {
			const two = recordedExits(scratch);
			return t`The scratch bundle contradicts itself: ${scratch?.problems.some((problem) => problem.kind === "edited-after-capture") ? "a file was edited after capture" : two !== null ? `exit ${two.run} in one file, exit ${two.exit} in another` : nothingRan(tests.scratch) ? "exit 0, and no test ran" : `exit 0, and ${count$1(failuresOf(comparison, "scratch"), "failure")} in its own XML`}.`;
		}
		case "contradicted": return contradicted(comparison, endingOf(legs[0].result), run);
		case "stale":
			if (source.same === false) return t`${run} was of other source than ${reviewed(review.under)}${source.changed?.length ? `: ${changedPhrase(source.changed)}` : ""}.`;
			return source.bundleBrought === false ? t`${run} came with an earlier change: this pull request does not touch the bundle.` : t`${run} is older than the commit under review: later commits changed ${count$1(source.afterBundle?.length ?? 0, "file")}.`;
		case "different": return t`${run} is a different experiment: ${phrases(differences.slice(0, 3), comparison)}.`;
		case "unbound": {
			const doubt = doubtOf(comparison);
			if (doubt !== null) return t`${run} agrees with it, but ${DOUBTS[doubt]}.`;
			return source.scratchTree === null ? t`${run} agrees with it as far as it was recorded, but does not say which source it ran.` : source.same === null ? t`${run} agrees with it, but whether it was of this source could not be told.` : t`${run} agrees with it as far as it was recorded: not everything was.`;
		}
		case "corroborated": {
			const skipped = tests.skippedInBoth === 0 ? "" : ` (${group(tests.skippedInBoth)} more skipped on both sides)`;
			return t`${run} ${exits.scratchCode === 0 ? "carries over" : "agrees"}: same source, ${sameToolchain(toolchain)}, same ${count$1(tests.agreed, "test")}${skipped}.`;
		}
	}
}
const DOUBTS = {
	copied: "its report is a copy of CI's",
	failures: "its report's totals count failures that none of its cases has",
	timestamp: "its report is not dated within its run",
	hostname: "its report names another machine than its toolchain does"
};
function sameToolchain(rows) {
	const some = (grade) => rows.some((row) => row.grade === grade && !row.key.startsWith("env."));
	if (some("drift")) return "toolchain of the same ABI";
	return some("unrecorded") ? "same toolchain as far as recorded" : "same toolchain";
}
function contradicted(comparison, ended, run) {
	const { exits, tests } = comparison;
	const failsHere = tests.flipped.filter((pair) => pair.scratch.status === "passed").length;
	const failsThere = tests.flipped.length - failsHere;
	if (endedDifferently(comparison, ended) && exits.scratchCode !== 0) return t`The scratch run did not: exit ${exits.scratchCode ?? 0}.`;
	if (failsHere > 0) return t`${run} did not carry over: ${count$1(failsHere, "test")} that passed there ${failsHere === 1 ? "fails" : "fail"} here.`;
	if (failsThere === 0 && exits.ciCode === 0) return t`${run} agrees with that run: what failed in CI is not in it.`;
	if (failsThere > 0) return t`${count$1(failsThere, "test")} that passed here failed in the scratch run.`;
	return t`${run} did not carry over: exit 0 there.`;
}
function phrases(differences, comparison) {
	return differences.flatMap((difference, index) => [...index === 0 ? [] : ["; "], ...phrase(difference, comparison)]);
}
function phrase(difference, comparison) {
	const { toolchain, lockfiles, installed, tests } = comparison;
	switch (difference) {
		case "platform": {
			const row = toolchain.find((one) => one.grade === "platform");
			return row === void 0 ? ["another platform"] : t`${value(row.scratch)} there, ${value(row.ci)} here`;
		}
		case "toolchain": {
			const rows = toolchain.filter((one) => one.grade === "abi");
			const row = rows.find((one) => one.key.endsWith(".version")) ?? rows[0];
			if (row === void 0) return ["another toolchain"];
			const [there, here] = shorten(row.scratch ?? "", row.ci ?? "");
			return t`${label(row.key)} ${value(there)} there, ${value(here)} here`;
		}
		case "lockfile": {
			const lockfile = lockfiles.find((one) => one.compared === "differs" || one.scratch === "none");
			if (lockfile === void 0 || lockfile.scratch === "none") return ["no lockfile there"];
			const number = differing$1(lockfile);
			return [number > 0 ? count$1(number, "locked package differs", "locked packages differ") : "other artefacts of the same packages"];
		}
		case "installed": return [count$1(installed.reduce((sum, { againstCi }) => sum + (againstCi === null ? 0 : differing$1(againstCi)), 0), "installed package differs", "installed packages differ")];
		case "command": return ["another command"];
		case "tests": {
			const never = casesIn(tests.skippedInScratch) + executed(tests.onlyCi);
			const notHere = casesIn(tests.skippedInCi) + executed(tests.onlyScratch);
			if (never + notHere === 0) return [tests.unexpected.length > 0 ? `${count$1(tests.unexpected.length, "test")} failed as expected on one side alone` : "other tests are skipped"];
			if (notHere === 0) return [`${count$1(never, "test")} never ran there`];
			const here = `${count$1(notHere, "test")} never ran here`;
			return [never === 0 ? here : `${here}, ${group(never)} never ran there`];
		}
	}
}
function shorten(there, here) {
	const a = there.split(".");
	const b = here.split(".");
	const at = a.findIndex((part, index) => part !== b[index]);
	const end = Math.max(at + 1, 2);
	return [a.slice(0, end).join("."), b.slice(0, end).join(".")];
}
// src/report/legs.ts
const SHOWN = 6;
function legsSummary({ legs }) {
	if (legs.length < 2) return [];
	const failed = legs.filter(({ result }) => endingOf(result) !== "success");
	const shown = legs.length <= SHOWN ? legs : [...new Set([
		legs[0],
		...failed,
		...legs
	])].slice(0, SHOWN);
	const rest = legs.length - shown.length;
	return [
		{
			kind: "heading",
			content: [`The ${legs.length} legs of CI`]
		},
		table(shown, legs[0]),
		...rest > 0 ? [{
			kind: "paragraph",
			content: [`${count$1(rest, "more leg is", "more legs are")} in the table below.`]
		}] : [],
		...holds(legs)
	];
}
function legsDetails({ legs }) {
	if (legs.length <= SHOWN) return [];
	const passed = legs.filter(({ result }) => endingOf(result) === "success").length;
	return [{
		kind: "details",
		summary: [`All ${legs.length} legs: ${passed} passed`],
		blocks: [table(legs, legs[0])]
	}];
}
function table(legs, nearest) {
	return {
		kind: "table",
		head: [
			["Leg"],
			["Ended"],
			["Tests"],
			["Other than in the scratch run"]
		],
		rows: legs.map((leg) => [
			leg === nearest ? t`${code(leg.result.name)}, ${strong("the nearest")}` : [code(leg.result.name)],
			[ended$1(leg)],
			[leg.comparison.tests.ci === null ? "no JUnit XML" : counts(leg.comparison.tests.ci)],
			others(leg)
		])
	};
}
function ended$1({ result: { exitCode, signal, result, shared } }) {
	const own = exitCode !== null ? `exit ${exitCode}` : signal;
	if (result === null || shared) return own ?? "not recorded";
	return own === null ? result : `${result}, ${own}`;
}
function others({ comparison, result }) {
	if (comparison.scratch === null) return ["there is no scratch run"];
	const { ci, tests } = comparison;
	if (ci.toolchain === null && ci.tests === null) return ["not recorded"];
	const flipped = tests.flipped.map(({ ci: here }) => [code(here.name)]);
	const parts = [...flipped.length === 0 ? [] : [t`${count$1(flipped.length, "test")} ended differently: ${enumerate(flipped)}`], ...differencesOf(comparison).map((difference) => phrases([difference], comparison))];
	if (parts.length === 0) return [endedDifferently(comparison, endingOf(result)) ? "how it ended" : "nothing that was recorded"];
	const [first, ...rest] = parts.flatMap((part, index) => index === 0 ? part : ["; ", ...part]);
	return [...typeof first === "string" ? [sentenceCase(first)] : [first ?? ""], ...rest];
}
const ASPECTS = {
	result: "The same result",
	platform: "The same platform",
	toolchain: "A toolchain of the same ABI",
	lockfile: "The same lockfile",
	installed: "The same packages installed",
	tests: "The same set of tests"
};
function holds(legs) {
	const across = acrossLegs(legs);
	const tests = testsAcrossLegs(legs);
	if (across.length === 0) return [];
	const rows = across.map((one) => [[ASPECTS[one.aspect]], where(one, legs.length)]);
	const passed = tests === null ? [] : [[["The tests that passed there"], [`${group(tests.all)} passed in ${tests.legs === legs.length ? "all" : `all ${tests.legs} that have a report`}, ${group(tests.some)} in some, ${group(tests.none)} in none`]]];
	return [{
		kind: "table",
		head: [["As in the scratch run"], ["In how many legs"]],
		rows: [...rows, ...passed]
	}];
}
function where({ same, differs, notRecorded }, legs) {
	if (notRecorded === legs) return ["not recorded"];
	const recorded = notRecorded === 0 ? "" : `, not recorded in ${notRecorded}`;
	if (differs.length === 0) return [`${notRecorded === 0 ? `all ${legs}` : `${same} of ${legs}`}${recorded}`];
	const names = t`, not in ${enumerate(differs.map((name) => [code(name)]), 4)}`;
	return [
		same === 0 ? "none" : `${same} of ${legs}`,
		...same === 0 ? [] : names,
		recorded
	];
}
// src/report/particulars.ts
function particulars(comparison) {
	return [
		...comparison.scratch === null ? [] : toolchainDetails(comparison.toolchain),
		...sourceDetails(comparison.source.changed ?? comparison.source.afterBundle ?? []),
		...comparison.lockfiles.flatMap(lockfileDetails),
		...testsDetails(comparison)
	];
}
function toolchainDetails(rows) {
	if (rows.length === 0) return [];
	const same = rows.filter((row) => row.grade === "same").length;
	const missing = rows.filter((row) => row.grade === "unrecorded").length;
	const differ = rows.length - same - missing;
	return [{
		kind: "details",
		summary: [`Toolchain, line by line: ${same} same, ${differ} ${differ === 1 ? "differs" : "differ"}, ${missing} not recorded`],
		blocks: [{
			kind: "table",
			head: [
				[],
				["Scratch box"],
				["CI"],
				[]
			],
			rows: rows.map((row) => [
				label(row.key),
				value(row.scratch),
				value(row.ci),
				gradeOf(row)
			])
		}]
	}];
}
function sourceDetails(changed) {
	const most = 100;
	const rest = changed.length - most;
	if (changed.length === 0) return [];
	return [{
		kind: "details",
		summary: [`Source: ${changedPhrase(changed)}`],
		blocks: [{
			kind: "table",
			head: [
				["File"],
				[],
				["What it is"],
				["Whose doing"]
			],
			rows: changed.slice(0, most).map((one) => [
				[code(one.path)],
				[one.how],
				[one.kind],
				[one.cause ?? sideOf(one)]
			])
		}, ...rest > 0 ? [{
			kind: "paragraph",
			content: [
				`${rest} more in `,
				code("report.json"),
				"."
			]
		}] : []]
	}];
}
function lockfileDetails(lockfile) {
	const number = differing$1(lockfile);
	if (number === 0 && lockfile.diff === null) return [];
	const { scratch } = lockfile.packages;
	const of = scratch === null || number > scratch ? "" : ` of ${scratch}`;
	const says = number > 0 ? `${number}${of} packages ${number === 1 ? "differs" : "differ"}` : lockfile.compared === "same" ? "same packages" : "as text";
	const lines = number > 0 ? packageLines(lockfile) : shortened((lockfile.diff ?? "").split("\n").filter((line) => line !== ""));
	return [{
		kind: "details",
		summary: t`Lockfile, ${code(lockfile.path)}: ${says}`,
		blocks: [{
			kind: "diff",
			lines
		}]
	}];
}
function packageLines({ changed, added, removed }) {
	const most = 20;
	const line = (sign, { name, direct }, version) => `${sign}${name} ${version}`.trimEnd() + (direct === true ? "  (direct)" : "");
	const packages = [
		...loudestFirst(changed).map((one) => [line("-", one, one.from), line("+", one, one.to)]),
		...removed.map((one) => [line("-", one, one.version)]),
		...added.map((one) => [line("+", one, one.version)])
	];
	const rest = packages.length - most;
	return [...packages.slice(0, most).flat(), ...rest > 0 ? [`  … ${rest} more packages in report.json`] : []];
}
function shortened(lines) {
	const most = 200;
	return lines.length <= most ? [...lines] : [...lines.slice(0, most), `  … ${lines.length - most} more lines in report.json`];
}
function testsDetails({ tests }) {
	if (tests.scratch === null || tests.ci === null) return [];
	const { repeats } = tests;
	const rows = [
		[
			["agreed"],
			"passed",
			"passed",
			tests.agreedPassed
		],
		[
			["agreed"],
			"failed as expected",
			"failed as expected",
			tests.agreedExpected
		],
		[
			["agreed"],
			"did not pass",
			"did not pass",
			tests.agreed - tests.agreedPassed - tests.agreedExpected
		],
		[
			["failed as expected on one side"],
			ended(tests.unexpected.map((pair) => pair.scratch.status)),
			ended(tests.unexpected.map((pair) => pair.ci.status)),
			tests.unexpected.length
		],
		[
			["skipped on both sides"],
			"skipped",
			"skipped",
			tests.skippedInBoth
		],
		[
			[strong("flipped")],
			"passed",
			"failed",
			tests.flipped.filter((pair) => pair.scratch.status === "passed").length
		],
		[
			[strong("flipped")],
			"failed",
			"passed",
			tests.flipped.filter((pair) => pair.scratch.status !== "passed").length
		],
		...tests.skippedInScratch.map((one) => [
			t`skipped there, ran here: ${skipLabel(one)}`,
			"skipped",
			ended(one.pairs.map((pair) => pair.ci.status)),
			one.pairs.length
		]),
		...tests.skippedInCi.map((one) => [
			t`ran there, skipped here: ${skipLabel(one)}`,
			ended(one.pairs.map((pair) => pair.scratch.status)),
			"skipped",
			one.pairs.length
		]),
		[
			["only there"],
			ended(tests.onlyScratch.map((one) => one.status)),
			"",
			tests.onlyScratch.length
		],
		[
			["only in CI"],
			"",
			ended(tests.onlyCi.map((one) => one.status)),
			tests.onlyCi.length
		],
		[
			["another entry of the same"],
			ended(repeats.scratch.map((one) => one.status)),
			"",
			repeats.scratch.length
		],
		[
			["another entry of the same"],
			"",
			ended(repeats.ci.map((one) => one.status)),
			repeats.ci.length
		]
	];
	const notThere = casesIn(tests.skippedInScratch);
	const parts = [
		`${tests.agreed} agreed`,
		...tests.flipped.length > 0 ? [`${tests.flipped.length} flipped`] : [],
		...notThere > 0 ? [`${notThere} skipped there`] : [],
		...casesIn(tests.skippedInCi) > 0 ? [`${casesIn(tests.skippedInCi)} skipped here`] : [],
		...tests.onlyScratch.length > 0 ? [`${tests.onlyScratch.length} only there`] : [],
		...tests.onlyCi.length > 0 ? [`${tests.onlyCi.length} only in CI`] : []
	];
	const times = timesSentence(tests);
	return [{
		kind: "details",
		summary: [`Tests: ${parts.join(", ")}`],
		blocks: [{
			kind: "table",
			head: [
				[],
				["Scratch box"],
				["CI"],
				["cases"]
			],
			rows: rows.filter(([, , , number]) => number > 0).map(([name, there, here, number]) => [
				name,
				[there],
				[here],
				t`${number}`
			])
		}, ...times === null ? [] : [{
			kind: "paragraph",
			content: times
		}]]
	}];
}
function ended(statuses) {
	const all = new Set(statuses);
	return all.size === 1 ? statuses[0] ?? "" : all.size === 0 ? "" : `mixed: ${[...all].map((status) => `${count$1(statuses.filter((one) => one === status).length, status, status)}`).join(", ")}`;
}
// src/report/wording/worth.ts
const DIFFERENCES = {
	platform: "another platform",
	toolchain: "another toolchain",
	lockfile: "another lockfile",
	installed: "other packages installed",
	command: "another command",
	tests: "another set of tests"
};
function worthOf({ witness, differences, legs }) {
	const { tests, source } = legs[0].comparison;
	const bound = source.same === true ? "same source" : source.same === false ? "other source" : witness === "stale" ? "an earlier source" : "source not recorded";
	const fewer = tests.skippedInScratch.length + tests.onlyCi.length > 0;
	const more = tests.skippedInCi.length + tests.onlyScratch.length > 0;
	const set = fewer && more ? DIFFERENCES.tests : fewer ? "fewer tests" : "more tests than CI ran";
	const named = differences.map((difference) => difference === "tests" ? set : DIFFERENCES[difference]);
	switch (witness) {
		case "none": return ["nothing was recorded, so there is nothing to compare"];
		case "incomplete": return ["whether it passed is not recorded"];
		case "inconsistent": return ["its own files do not agree. Not even a hint"];
		case "corroborated": return ["same source, same experiment, same result. Still a hint, not a gate"];
		case "unbound": return [`${bound}; what was recorded agrees. A hint, not a gate`];
		case "contradicted": return [`${[
			bound,
			...named,
			"another result"
		].join(", ")}. A hint, not a gate`];
		default: return [`${[bound, ...named].join(", ")}. A hint, not a gate`];
	}
}
// src/report/report.ts
const LISTED = 12;
const TITLE = 250;
function makeReport(judgement, help) {
	const sentence = headline(judgement);
	const looked = judgement.findings.filter((finding) => finding.level !== "info");
	const noted = judgement.findings.filter((finding) => finding.level === "info");
	const { comparison } = judgement.legs[0];
	return {
		title: visible(plain(sentence), TITLE),
		summary: [
			{
				kind: "paragraph",
				content: [strong(...sentence)]
			},
			headTable(judgement),
			...transfer(comparison),
			...legsSummary(judgement),
			...judgement.proved.length === 0 ? [] : decisionTable(judgement),
			...looked.length === 0 ? [] : whatToLookAt(looked)
		],
		details: [
			...legsDetails(judgement),
			...particulars(comparison),
			...noted.length === 0 ? [] : [notes(noted)],
			closing(help)
		]
	};
}
function transfer({ tests }) {
	const content = transferSentence(tests);
	return content === null ? [] : [{
		kind: "paragraph",
		content
	}];
}
function passed({ legs }) {
	const { exits, scratch } = legs[0].comparison;
	return scratch === null || exits.scratchCode === 0;
}
function headTable(judgement) {
	const { witness, legs } = judgement;
	const { comparison } = legs[0];
	const there = comparison.scratch;
	const exit = comparison.exits.scratchCode;
	const word = comparison.exits.scratch.find((one) => one.word !== null)?.word;
	return {
		kind: "table",
		head: [
			[],
			["Exit code"],
			["What ran"]
		],
		rows: [
			ciRow(legs[0], legs.length > 1),
			[
				[{ icon: "👁️" }, "Scratch box, a witness"],
				there === null ? [em("not recorded")] : exit !== null ? [`exit ${exit}`] : word ? [code(word)] : [em("not recorded")],
				there === null ? [em(comparison.bundle.absent === "not read" ? "could not be read" : comparison.review.under === "commit" ? "no evidence was committed" : "no evidence is there")] : ran(there, comparison.tests.scratch)
			],
			[
				[strong(`What the ${passed(judgement) ? "PASS" : "run"} is worth`)],
				[code(witness)],
				worthOf(judgement)
			]
		]
	};
}
function ciRow({ result, comparison }, named) {
	const { exitCode, signal, shared } = result;
	const word = shared ? null : result.result;
	const ended = exitCode !== null ? `exit ${exitCode}` : signal ?? null;
	const said = word === null ? [] : ended === null ? [word] : [`${word}, ${ended}`];
	return [
		[{ icon: "⚖️" }, strong(...named ? t`CI, the judge: ${code(result.name)}, the nearest leg` : ["CI, the judge"])],
		[strong(...said.length > 0 ? said : [ended ?? "no exit code"])],
		ran(comparison.ci, comparison.tests.ci)
	];
}
function ran(evidence, tests) {
	const get = (key) => evidence.toolchain?.facts.get(key)?.value;
	const image = [get("image.os"), get("image.version")].filter(Boolean).join(" ");
	const when = evidence.run?.started ?? get("date");
	return [
		evidence.run?.command ? [code(evidence.run.command)] : [em("command not recorded")],
		tests === null ? [em("no JUnit XML")] : [counts(tests)],
		...image || get("distro") ? [value(image || (get("distro") ?? ""))] : [],
		...when === void 0 ? [] : [moment(when)]
	].flatMap((part, index) => index === 0 ? part : [" · ", ...part]);
}
function decisionTable(judgement) {
	const rows = judgement.proved.map((row) => proof(row, judgement));
	return [{
		kind: "heading",
		content: [`What the scratch ${passed(judgement) ? "PASS" : "run"} proved, and what it did not`]
	}, {
		kind: "table",
		head: [
			["You have"],
			["It proved"],
			["It did not prove"]
		],
		rows: rows.map(({ have, proved, notProved }) => [
			have,
			proved,
			notProved
		])
	}];
}
function whatToLookAt(findings) {
	const rest = findings.length - LISTED;
	return [
		{
			kind: "heading",
			content: ["What to look at"]
		},
		{
			kind: "list",
			ordered: true,
			items: findings.slice(0, LISTED).map(item)
		},
		...rest > 0 ? [{
			kind: "paragraph",
			content: [
				`${rest} more in `,
				code("report.json"),
				"."
			]
		}] : []
	];
}
function notes(findings) {
	return {
		kind: "details",
		summary: [`Also noted: ${findings.length}`],
		blocks: [{
			kind: "list",
			ordered: false,
			items: findings.slice(0, 48).map(item)
		}]
	};
}
function item(finding) {
	const { lead, detail } = sentence(finding);
	return detail.length === 0 ? [strong(...lead)] : [
		strong(...lead),
		" ",
		...detail
	];
}
function closing(help) {
	const before = ["CI alone decides this check."];
	return help === null ? {
		kind: "paragraph",
		content: before
	} : {
		kind: "link",
		before: [...before, " "],
		text: "What each line means",
		address: help
	};
}
// src/report/mask.ts
async function withoutSecrets(judgement) {
	const { summary, details } = makeReport(judgement, null);
	const secrets = await secretsIn(`${renderJson(judgement)}\n${renderTerminal([...summary, ...details], false)}`);
	if (secrets.length === 0) return judgement;
	const { masked, kinds } = await maskTexts(stringsIn(judgement, new Set()), secrets);
	const problems = [...kinds].map((what) => ({
		kind: "secret",
		file: "",
		line: null,
		what
	}));
	const told = problems.length === 0 ? [] : [found("warning", {
		id: "bundle/secret",
		problems
	})];
	const clean = replaced(judgement, masked, new Map());
	return {
		...clean,
		findings: [...told, ...clean.findings]
	};
}
function* stringsIn(value, seen) {
	if (typeof value === "string") yield value;
	if (typeof value !== "object" || value === null || ArrayBuffer.isView(value) || seen.has(value)) return;
	seen.add(value);
	const parts = value instanceof Map ? [...value].flat() : value instanceof Set ? value : Object.values(value);
	for (const part of parts) yield* stringsIn(part, seen);
}
function replaced(value, by, done) {
	if (typeof value === "string") return by.get(value) ?? value;
	if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value;
	const known = done.get(value);
	if (known !== void 0) return known;
	const of = (part) => replaced(part, by, done);
	const copy = value instanceof Map ? new Map([...value].map(([key, part]) => [of(key), of(part)])) : value instanceof Set ? new Set([...value].map(of)) : Array.isArray(value) ? value.map(of) : Object.fromEntries(Object.entries(value).map(([key, part]) => [key, of(part)]));
	done.set(value, copy);
	return copy;
}
// src/run.ts
async function run(readSubject, record, help) {
	const subject = await readOrUnreadable(readSubject);
	const recordings = await record();
	try {
		return await conclude(subject, recordings, help);
	} catch (error) {
		const why = `it could not be compared: ${reasonOf(error)}`;
		const bundle = {
			...subject.bundle,
			evidence: null,
			absent: "no file can be read",
			problems: [{
				kind: "unreadable",
				file: "",
				line: null,
				why
			}]
		};
		return await conclude({
			...subject,
			bundle
		}, recordings, help);
	}
}
async function conclude({ bundle, review }, [first, ...others], help) {
	const comparisons = [first, ...others].map((recording) => compare(bundle, recording, review));
	const judgement = await withoutSecrets(judge([first.result, ...others.map((recording) => recording.result)], comparisons));
	return {
		judgement,
		report: makeReport(judgement, help)
	};
}
async function readOrUnreadable(readSubject) {
	try {
		return await readSubject();
	} catch (error) {
		if (error instanceof PlaceError) throw error;
		return unreadableSubject(reasonOf(error));
	}
}
// src/cli.ts
const USAGE = `Compares the evidence of a scratch test run with a run here, with no GitHub.

  scratch-evidence [options] -- COMMAND [ARG …]    run the command here, and compare
  scratch-evidence [options] --ci-evidence DIR     compare two directories of evidence

  --evidence DIR    the bundle of the scratch run (default: evidence)
  --junit GLOB      JUnit XML that the command writes; may be given several times
  --lockfile PATH   the lockfile to compare with; may be given several times (default: found by name)
  --cwd DIR         the working directory (default: .)
  --format FORMAT   terminal, markdown, html or json (default: terminal)
  --output FILE     write the report there instead of to standard output, where it follows the command's own output
  --no-color        no colour, as with NO_COLOR in the environment
  --help, --version

The exit code is that of the command (128+n for signal n), 2 for wrong usage, 0 with --ci-evidence.
`;
const FORMATS = [
	"terminal",
	"markdown",
	"html",
	"json"
];
var UsageError = class extends Error {};
async function main(args) {
	const options = readOptions(args);
	if (typeof options === "string") {
		process.stdout.write(options);
		return 0;
	}
	const { directory, evidence, lockfiles } = options;
	const place = {
		directory,
		evidence,
		lockfiles,
		..."ciEvidence" in options.run ? { recording: options.run.ciEvidence } : {}
	};
	const outcome = await run(() => readWorkingTree(place), () => record(options), null);
	const text = render(outcome, options);
	if (options.output === null) process.stdout.write(text);
	else {
		writeFileSync(options.output, text);
		process.stderr.write(`The report is in ${options.output}\n`);
	}
	if ("ciEvidence" in options.run) return 0;
	return outcome.judgement.legs[0].result.exitCode ?? 1;
}
async function record(options) {
	if ("ciEvidence" in options.run) return [await readEarlierRecording(resolve(options.directory, options.run.ciEvidence), "CI", null)];
	const out = mkdtempSync(join(tmpdir(), "scratch-evidence-"));
	try {
		const running = runCommand({
			script: fileURLToPath(new URL("../capture_run.sh", import.meta.url)),
			directory: options.directory,
			out,
			bundle: options.evidence,
			junit: options.junit,
			lockfiles: options.lockfiles,
			argv: options.run.argv,
			environment: Object.fromEntries(Object.entries(process.env).flatMap(([name, value]) => value === void 0 ? [] : [[name, value]]))
		});
		for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => running.signal(signal));
		return [await readOwnRecording(out, {
			name: "this run",
			exitCode: await running.exitCode,
			result: null
		})];
	} finally {
		rmSync(out, {
			recursive: true,
			force: true
		});
	}
}
function render({ judgement, report }, { format, colour, output }) {
	const blocks = [...report.summary, ...report.details];
	switch (format) {
		case "terminal": return `\n${renderTerminal(blocks, colour && output === null, process.stdout.columns ?? 100)}`;
		case "markdown": return renderMarkdown(blocks);
		case "html": return renderPage(blocks, {
			conclusion: judgement.conclusion,
			name: "Scratch evidence",
			title: report.title
		});
		case "json": return renderJson(judgement);
	}
}
function readOptions(args) {
	const end = args.indexOf("--");
	const own = end === -1 ? args : args.slice(0, end);
	const argv = end === -1 ? [] : args.slice(end + 1);
	const { values } = parseArgs({
		args: [...own],
		options: {
			evidence: {
				type: "string",
				default: "evidence"
			},
			junit: {
				type: "string",
				multiple: true,
				default: []
			},
			lockfile: {
				type: "string",
				multiple: true,
				default: []
			},
			cwd: {
				type: "string",
				default: "."
			},
			format: {
				type: "string",
				default: "terminal"
			},
			output: { type: "string" },
			"ci-evidence": { type: "string" },
			"no-color": {
				type: "boolean",
				default: false
			},
			help: {
				type: "boolean",
				default: false
			},
			version: {
				type: "boolean",
				default: false
			}
		}
	});
	if (values.help) return USAGE;
	if (values.version) return `${version()}\n`;
	const ciEvidence = values["ci-evidence"];
	if (argv.length === 0 === (ciEvidence === void 0)) throw new UsageError(ciEvidence === void 0 ? "No command. Give one behind `--`, or a directory with `--ci-evidence`." : "Both a command and `--ci-evidence`. Give one of them.");
	const directory = resolve(values.cwd);
	for (const path of [directory, ...ciEvidence === void 0 ? [] : [resolve(directory, ciEvidence)]]) if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw new UsageError(`There is no directory ${path}.`);
	if (values.output !== void 0 && !statSync(dirname(resolve(values.output)), { throwIfNoEntry: false })?.isDirectory()) throw new UsageError(`There is no directory ${dirname(resolve(values.output))} for the report.`);
	const format = FORMATS.find((one) => one === values.format);
	if (format === void 0) throw new UsageError(`No such format: ${values.format}. There are ${FORMATS.join(", ")}.`);
	const environment = process.env;
	return {
		evidence: values.evidence,
		directory,
		junit: values.junit,
		lockfiles: values.lockfile,
		format,
		output: values.output ?? null,
		colour: !values["no-color"] && !environment.NO_COLOR && (environment.FORCE_COLOR ? true : process.stdout.isTTY === true),
		run: ciEvidence === void 0 ? { argv } : { ciEvidence }
	};
}
function version() {
	const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
	return typeof manifest === "object" && manifest !== null && "version" in manifest ? String(manifest.version) : "unknown";
}
try {
	process.exitCode = await main(process.argv.slice(2));
} catch (error) {
	const usage = error instanceof UsageError || error instanceof TypeError && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
	process.stderr.write(`${reasonOf(error)}\n${usage ? "See --help.\n" : ""}`);
	process.exitCode = usage ? 2 : 1;
}
export {};
