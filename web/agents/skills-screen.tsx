// Skills: what an agent may be granted. The list, and one version with its instructions and the tools it brings, what changed,
// and making the next version.
import type { ReactNode } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { cache, keys } from '../api/cache.ts';
import { newSkillVersion } from '../api/calls.ts';
import { useNewestSkill, useSkills, useSkillVersion } from '../api/queries.ts';
import type { Json, JsonObject, SkillVersion } from '../api/types.ts';
import { CopyMenu } from '../copying/copy.tsx';
import { Empty, Loaded } from '../parts/notes.tsx';
import { Block, Plain } from '../parts/plain-text.tsx';
import { Time } from '../parts/time.tsx';
import { useWords } from '../words/index.tsx';
import { useLater } from '../words/later.ts';
import { Compare } from './compare.tsx';
import { Edit } from './edit-form.tsx';
import { FirstSkill } from './first.tsx';
import { Versions } from './versions.tsx';

const Tools = ({ skill }: { readonly skill: SkillVersion }): ReactNode => {
  const words = { ...useWords(), ...useLater() };
  const { tools } = skill.content;
  if (tools.length === 0) return words.skills.noTools;
  return tools.map(({ name, version }) => (
    <span key={name}>
      <Link href={`/tools/${name}/${version}`}>{name}</Link>{' '}
    </span>
  ));
};

export const SkillsScreen = (): ReactNode => {
  const words = { ...useWords(), ...useLater() };
  return (
    <section className="screen">
      <h1>{words.skills.title}</h1>
      <Loaded asked={useSkills()}>
        {(skills) =>
          skills.length === 0 ? (
            <Empty title={words.skills.empty}>
              <p>{words.skills.emptyHint}</p>
            </Empty>
          ) : (
            <ul className="cards">
              {skills.map((one) => (
                <li key={one.content.name} className="card">
                  <h2>
                    <Link href={`/skills/${one.content.name}/${one.version}`}>
                      {one.content.name}
                    </Link>
                  </h2>
                  <p>
                    <Plain text={one.content.description} />
                  </p>
                  <p className="hint">
                    {words.skills.tools}
                    {words.colon}
                    <Tools skill={one} />
                  </p>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <FirstSkill />
    </section>
  );
};

const jsonOf = ({ content }: SkillVersion): Json => {
  const json: Json = JSON.parse(JSON.stringify(content));
  return json;
};

const useContent = (name: string, number: number) => {
  const { data, error, refetch } = useSkillVersion(name, String(number));
  return { data: data === undefined ? undefined : jsonOf(data), error, refetch };
};

const useSave = (name: string) => {
  const [, go] = useLocation();
  return async (body: JsonObject, key: string): Promise<void> => {
    const { version } = await newSkillVersion(name, body, key);
    await cache.invalidateQueries({ queryKey: keys.newestSkill(name) });
    await cache.invalidateQueries({ queryKey: keys.skills });
    go(`/skills/${name}/${version}`);
  };
};

const SkillPage = ({
  skill,
  newest,
}: {
  readonly skill: SkillVersion;
  readonly newest: SkillVersion;
}): ReactNode => {
  const words = { ...useWords(), ...useLater() };
  const { content, version } = skill;
  const { name } = content;
  return (
    <>
      <header className="screen-head">
        <h1>{name}</h1>
        <CopyMenu id={`${name}/${version}`} thing={{ kind: 'skill', of: skill }} />
      </header>
      <p className="hint">
        {words.skills.version(version)}, <Time at={skill.createdAt} exact /> {words.by('')}
        <Plain text={skill.author?.name ?? skill.createdBy} />
      </p>
      <p>
        <Plain text={content.description} />
      </p>
      <h2>{words.skills.instructions}</h2>
      <Block text={content.instructions} label={words.skills.instructions} />
      <h2>{words.skills.tools}</h2>
      <p>
        <Tools skill={skill} />
      </p>
      <Compare
        kind="skill"
        of={name}
        newest={newest.version}
        shown={version}
        name={words.tools.version}
        only={words.tools.first}
        useContent={useContent}
      />
      <Versions place={`/skills/${name}`} newest={newest.version} shown={version} />
      <Edit
        kind="skill"
        open={words.tools.edit}
        label={words.skills.json}
        before={jsonOf(newest)}
        button={words.tools.save}
        save={useSave(name)}
      />
    </>
  );
};

const OfVersion = ({
  version,
  newest,
}: {
  readonly version: string;
  readonly newest: SkillVersion;
}) => (
  <Loaded asked={useSkillVersion(newest.content.name, version)}>
    {(skill) => <SkillPage skill={skill} newest={newest} />}
  </Loaded>
);

/** Without a version in the address: the newest. */
export const SkillScreen = (): ReactNode => {
  const { name = '', version } = useParams<{ name: string; version?: string }>();
  return (
    <section className="screen">
      <Loaded asked={useNewestSkill(name)}>
        {(newest) => <OfVersion version={version ?? String(newest.version)} newest={newest} />}
      </Loaded>
    </section>
  );
};
