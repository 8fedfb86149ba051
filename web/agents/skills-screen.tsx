// Skills: what an agent may be granted. The list, and one version with its instructions and the tools it brings.
import type { ReactNode } from 'react';
import { Link, useParams } from 'wouter';
import { useSkills, useSkillVersion } from '../api/queries.ts';
import type { SkillVersion } from '../api/types.ts';
import { Empty, Loaded } from '../parts/notes.tsx';
import { Block, Plain } from '../parts/plain-text.tsx';
import { Time } from '../parts/time.tsx';
import { useWords } from '../words/index.tsx';

const Tools = ({ skill }: { readonly skill: SkillVersion }): ReactNode => {
  const words = useWords();
  const { tools } = skill.content;
  if (tools.length === 0) return words.skills.noTools;
  return tools.map(({ name, version }) => (
    <span key={name}>
      <Link href={`/tools/${name}/${version}`}>{name}</Link>{' '}
    </span>
  ));
};

export const SkillsScreen = (): ReactNode => {
  const words = useWords();
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
    </section>
  );
};

const SkillPage = ({ skill }: { readonly skill: SkillVersion }): ReactNode => {
  const words = useWords();
  return (
    <>
      <h1>{skill.content.name}</h1>
      <p className="hint">
        {words.skills.version(skill.version)}, <Time at={skill.createdAt} exact />
      </p>
      <p>
        <Plain text={skill.content.description} />
      </p>
      <h2>{words.skills.instructions}</h2>
      <Block text={skill.content.instructions} label={words.skills.instructions} />
      <h2>{words.skills.tools}</h2>
      <p>
        <Tools skill={skill} />
      </p>
    </>
  );
};

export const SkillScreen = (): ReactNode => {
  const { name = '', version = '1' } = useParams<{ name: string; version: string }>();
  return (
    <section className="screen">
      <Loaded asked={useSkillVersion(name, version)}>
        {(skill) => <SkillPage skill={skill} />}
      </Loaded>
    </section>
  );
};
