-- What the operator has decided for all who use the services: a notice on all pages, and that nothing may be changed.
create table operator_state (
  name text collate "C" primary key check (name in ('notice', 'read_only')),
  text text collate "C", -- the notice; of the other, the reason, if one was given
  since bigint not null
);

-- Three more actions.
alter table moderation_log
  drop constraint moderation_log_action_check,
  add constraint moderation_log_action_check check (action in (
    'hide', 'unhide', 'pin', 'unpin', 'move', 'suspend', 'unsuspend', 'appoint', 'dismiss', 'delete'
  ));
