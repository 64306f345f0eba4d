# --- Ruby ---

uses_ruby() { any_file Gemfile gems.rb .rspec Rakefile ./*.gemspec; }
locks_ruby() { echo Gemfile.lock gems.locked; }

# `formatter:` is for this script alone: what writes JUnit for RSpec.
probe_ruby() {
  has ruby || return 0
  put ruby.path "$(command -v ruby)"
  ask ruby -e '
def put(key, value); puts "#{key}=#{value}" unless value.to_s.empty?; end
put "ruby.realpath", File.realpath(RbConfig.ruby)
put "ruby.version", RUBY_VERSION
put "ruby.patch", RUBY_PATCHLEVEL
put "ruby.engine", RUBY_ENGINE
put "ruby.abi", RbConfig::CONFIG["ruby_version"]
put "ruby.platform", RUBY_PLATFORM
put "gem.version", Gem::VERSION
lock = %w[Gemfile.lock gems.locked].find { |name| File.file?(name) }
locked = lock ? File.read(lock).scan(/^    (\S+) \(([^()\s]+)\)$/).to_h : {}
put "bundler.version", (lock && File.read(lock)[/^BUNDLED WITH\s+(\S+)/, 1])
{"rspec-core" => "rspec.version", "minitest" => "minitest.version", "rspec_junit_formatter" => "formatter:"}.each do |name, key|
  put key, locked[name] || (lock ? nil : (Gem::Specification.find_by_name(name).version rescue nil))
end'
}

installed_ruby() {
  # Without its lockfile Bundler would resolve, and write one.
  any_file Gemfile.lock gems.locked && has ruby || return
  ask ruby -rbundler -e '
puts "Gems included by the bundle:"
Bundler.load.specs.sort_by(&:name).each { |spec| puts "  * #{spec.name} (#{spec.version})" }' >"$1"
}
