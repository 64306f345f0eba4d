# --- PHP ---

uses_php() { any_file composer.json phpunit.xml phpunit.xml.dist; }
locks_php() { echo composer.lock; }

probe_php() {
  has php || return 0
  put php.path "$(command -v php)"
  # shellcheck disable=SC2016 # variables of PHP
  ask php -r '
function put($key, $value) { if ($value !== "") echo "$key=$value\n"; }
put("php.realpath", (string) realpath(PHP_BINARY));
put("php.version", PHP_VERSION);
put("php.api", basename(PHP_EXTENSION_DIR));
put("php.threadsafe", PHP_ZTS ? "yes" : "no");
put("php.debug", PHP_DEBUG ? "yes" : "no");
put("php.bits", (string) (PHP_INT_SIZE * 8));
$names = str_replace(" ", "_", array_map("strtolower", get_loaded_extensions())); sort($names);
put("php.extensions", implode(" ", $names));'
}

installed_php() { :; }
