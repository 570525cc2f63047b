# leak.rb IDIOM leak|healthy FOLDER: one way to leak in Ruby, or its healthy twin, which fills up and stays; five dumps of its objects.
require 'objspace'
idiom, mode, folder = ARGV
MOST = mode == 'leak' ? 1_000_000_000 : 300
ObjectSpace.trace_object_allocations_start

class Session
  def initialize(i)
    @user = "user #{i}"
    @body = 'x' * 500
  end
end

class Registry
  LIVE = {}
  def self.add(i)
    LIVE[i % MOST] = Session.new(i)
  end

  def find(i)
    @found ||= {}
    @found[i % MOST] ||= Session.new(i)
  end
end

$sessions = []
registry = Registry.new
kept = {}
work = {
  'global' => ->(i) { $sessions.push(Session.new(i)); $sessions.shift if $sessions.size > MOST },
  'class' => ->(i) { Registry.add(i) },
  'memo' => ->(i) { registry.find(i) },
  'block' => ->(i) { kept[i % MOST] = Session.new(i) }
}[idiom]
5.times do |step|
  400.times { |i| work.call(step * 400 + i) }
  GC.start
  File.open("#{folder}/#{idiom}-#{mode}-#{step}.jsonl", 'w') { |file| ObjectSpace.dump_all(output: file) }
end
