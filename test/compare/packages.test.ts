import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { countPackages, differenceOf } from '../../src/compare/packages.ts'
import { packageOf } from '../../src/read/package.ts'

const lists = fc.array(
  fc
    .tuple(fc.constantFrom('a', 'b', 'c', '__proto__'), fc.constantFrom('1.0', '1.0.0', '1.1', '2.0', '10.0', null))
    .map(([name, version]) => packageOf(name, version)),
  { maxLength: 12 },
)

test('a list and itself, in any order and with repetitions, do not differ', () => {
  fc.assert(
    fc.property(lists, fc.func(fc.nat()), (list, rank) => {
      const shuffled = [...list, ...list].sort((a, b) => rank(a.name, a.version) - rank(b.name, b.version))
      assert.deepEqual(differenceOf('python', list, shuffled), { added: [], removed: [], changed: [] })
    }),
  )
})

test('the order of the lists changes nothing', () => {
  fc.assert(
    fc.property(lists, lists, (from, to) =>
      assert.deepEqual(differenceOf('python', from.toReversed(), to.toReversed()), differenceOf('python', from, to)),
    ),
  )
})

test('the sides can be exchanged', () => {
  fc.assert(
    fc.property(lists, lists, (from, to) => {
      const there = differenceOf('python', from, to)
      const back = differenceOf('python', to, from)
      assert.deepEqual(back.added, there.removed)
      assert.deepEqual(
        back.changed,
        there.changed.map(({ name, from, to }) => ({ name, from: to, to: from })),
      )
    }),
  )
})

test('what is only in one list is what the counts say', () => {
  fc.assert(
    fc.property(lists, lists, (from, to) => {
      const { added, removed } = differenceOf('python', from, to)
      assert.equal(countPackages('python', to) - countPackages('python', from), added.length - removed.length)
    }),
  )
})

test('versions of one name stand beside each other in the order of their numbers', () =>
  assert.deepEqual(
    differenceOf(
      'npm',
      ['10.0.0', '9.0.0'].map((version) => packageOf('a', version)),
      ['9.1.0', '10.1.0'].map((version) => packageOf('a', version)),
    ).changed,
    [
      { name: 'a', from: '9.0.0', to: '9.1.0' },
      { name: 'a', from: '10.0.0', to: '10.1.0' },
    ],
  ))

test('another build of one version is another version', () =>
  assert.deepEqual(differenceOf('python', [packageOf('torch', '2.1.0')], [packageOf('torch', '2.1.0+cpu')]).changed, [
    { name: 'torch', from: '2.1.0', to: '2.1.0+cpu' },
  ]))

test('what comes from elsewhere differs by its commit', () =>
  assert.deepEqual(
    differenceOf(
      'python',
      [packageOf('a', null, { source: 'git+https://host.example/a@1' })],
      [packageOf('a', null, { source: 'git+https://host.example/a@2' })],
    ).changed,
    [{ name: 'a', from: 'git+https://host.example/a@1', to: 'git+https://host.example/a@2' }],
  ))

test('the version of a local package says nothing; that there is one does', () => {
  const local = (version: string) => [packageOf('@shop/a', version, { local: true })]
  assert.deepEqual(differenceOf('npm', local('1.0.0'), local('1.1.0')), { added: [], removed: [], changed: [] })
  assert.deepEqual(differenceOf('npm', [], local('1.1.0')).added, [{ name: '@shop/a', version: '1.1.0' }])
})
